/**
 * The texts of a record: every string that its schema has, but for ids, enumerations, times and what else the schema names
 * as none ({@link NO_TEXT}). They are found by the schema and not by a list, so that a new field is among them.
 */
import { z } from 'zod'
import { NO_TEXT } from './record.ts'

/** What becomes of a text. */
export type ChangeText = (text: string) => string

/** A record with other texts. @param schema that of the record; a test passes one with more fields. */
export const withTexts = <S extends z.ZodType>(
  schema: S,
  record: z.output<S>,
  change: ChangeText,
): z.output<S> => schema.parse(changed(schema, record, change))

/** A value that a schema describes, with other texts, to be shown: the schema's limits do not hold for what comes out. */
export const shownTexts = (schema: z.ZodType, value: unknown, change: ChangeText): unknown =>
  changed(schema, value, change)

/** Every text in a value that a schema describes; empty ones are left out. */
export function textsOf(schema: z.ZodType, value: unknown): string[] {
  const texts: string[] = []
  changed(schema, value, (text) => {
    if (text !== '') texts.push(text)
    return text
  })
  return texts
}

/**
 * A value as a file states it, with other texts; the schema's limits do not hold for it, and one word may stand for a list.
 * @param schema that of its field.
 */
export const withStatedTexts = (schema: z.ZodType, value: unknown, change: ChangeText): unknown =>
  isNames(schema) ? value : changed(schema, value, change)

/** Whether a field holds nothing but what is no text, in a list or not. */
function isNames(schema: unknown): boolean {
  if (!(schema instanceof z.ZodType)) return false
  if (NO_TEXT.get(schema) !== undefined) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isNames(schema.unwrap())
  return schema instanceof z.ZodArray && isNames(schema.element)
}

/** Every string in a value that no schema describes, the names of its keys among them. */
export const stringsIn = (value: unknown): string[] => textsOf(z.unknown(), value)

/** A value that no schema describes, with other texts: its strings, and the names of its keys. */
export function withStrings(value: unknown, change: ChangeText): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => withStrings(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [change(key), withStrings(one, change)]),
  )
}

function changed(schema: z.ZodType, value: unknown, change: ChangeText): unknown {
  if (NO_TEXT.get(schema) !== undefined || value === undefined || value === null) return value
  if (schema instanceof z.ZodString) return typeof value === 'string' ? change(value) : value
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsBelow(schema.unwrap(), value, change)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one) => textsBelow(schema.element, one, change))
  if (schema instanceof z.ZodObject && typeof value === 'object') {
    const shape: Record<string, unknown> = schema.shape
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) =>
        Object.hasOwn(shape, key)
          ? [key, textsBelow(shape[key], one, change)]
          : [change(key), withStrings(one, change)],
      ),
    )
  }
  // Of any other shape every string counts: to cut one too many does less harm than to leave one.
  return withStrings(value, change)
}

const textsBelow = (schema: unknown, value: unknown, change: ChangeText): unknown =>
  schema instanceof z.ZodType ? changed(schema, value, change) : withStrings(value, change)
