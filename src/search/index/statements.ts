/** Prepared statements of one connection, kept by their text. */
import type Database from 'better-sqlite3'

/** A value of a parameter. */
export type Value = string | number | Buffer | null

/** Runs SQL; each text is prepared once. */
export interface Statements {
  all<Row>(sql: string, ...values: Value[]): Row[]
  get<Row>(sql: string, ...values: Value[]): Row | undefined
  run(sql: string, ...values: Value[]): Database.RunResult
  exec(sql: string): void
}

/** The statements of a connection. */
export function statementsOf(db: Database.Database): Statements {
  const prepared = new Map<string, Database.Statement>()
  const statement = (sql: string): Database.Statement => {
    const known = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  return {
    all: <Row>(sql: string, ...values: Value[]) => statement(sql).all(...values) as Row[],
    get: <Row>(sql: string, ...values: Value[]) => statement(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => statement(sql).run(...values),
    exec: (sql) => {
      db.exec(sql)
    },
  }
}
