import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import type { HeldLock } from '../../../src/files/lock.ts'
import { formatRegister, parseRegister, RegisterFile } from '../../../src/files/workspace-register.ts'
import { tempDir } from '../../support/temp.ts'

const held: HeldLock = { check: () => {} }
const one = { id: 'one', evidence: ['remote:h/o/n', 'folder:/p'] }
const two = { id: 'two', evidence: ['root:abc', 'place:of a newer version'], since: 2 }
const TEXT = formatRegister({ workspaces: [one, two], rest: { format: 2 } })

const fileIn = async () => {
  const folder = await tempDir('register')
  return { folder, file: join(folder, 'workspaces.json') }
}
const registerAt = (file: string) => new RegisterFile(nodeDisk, file, () => Date.UTC(2026, 0, 2))

describe('the register of workspaces', () => {
  it('gives back what it was given, with what a newer version wrote', () => {
    expect(parseRegister(TEXT)).toEqual({ workspaces: [one, two], rest: { format: 2 } })
    expect(parseRegister(`\ufeff${TEXT}`)).toEqual({ workspaces: [one, two], rest: { format: 2 } })
    expect(parseRegister(formatRegister({ workspaces: [], rest: {} }))).toEqual({ workspaces: [], rest: {} })
  })

  it.each([
    ['a torn file', TEXT.slice(0, TEXT.indexOf('root:')), [one]],
    ['junk in a line', TEXT.replace('"two"', '"two'), [one]],
    ['an entry that is none', JSON.stringify({ workspaces: [one, 7, { id: 'x' }, two] }), [one, two]],
    ['a list', '[]', []],
    ['nothing', '', []],
    ['another file', 'workspaces: []', []],
  ])('answers from what can be read of %s', (_, text, workspaces) => {
    expect(parseRegister(text)).toMatchObject({ workspaces, fault: { code: 'DAMAGED' } })
  })

  it('is read again when another process wrote it, and only then', async () => {
    const { file } = await fileIn()
    let reads = 0
    const disk = {
      ...nodeDisk,
      read: (path: string) => {
        reads++
        return nodeDisk.read(path)
      },
    }
    const register = new RegisterFile(disk, file, Date.now)
    expect(register.read().workspaces).toEqual([])
    registerAt(file).write([one], held)
    expect(register.read().workspaces).toEqual([one])
    expect(register.read().workspaces).toEqual([one])
    expect(reads).toBe(1)
    registerAt(file).write([one, two], held)
    expect(register.read().workspaces).toEqual([one, two])
  })

  it('keeps a damaged one under another name before it is written anew', async () => {
    const { folder, file } = await fileIn()
    writeFileSync(file, 'no register')
    const register = registerAt(file)
    expect(register.write([one], held)).toBe('workspaces.damaged-20260102T000000Z.json')
    expect(readFileSync(join(folder, 'workspaces.damaged-20260102T000000Z.json'), 'utf8')).toBe('no register')
    expect(register.read()).toEqual({ workspaces: [one], rest: {} })
    expect(register.write([one, two], held)).toBeUndefined()
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('is left as it is where it cannot be read', async () => {
    const { file } = await fileIn()
    mkdirSync(file)
    const register = registerAt(file)
    expect(register.read()).toMatchObject({ workspaces: [], fault: { code: 'UNREADABLE' } })
    expect(() => register.write([one], held)).toThrow()
  })

  it('is not written by a process that lost the lock', async () => {
    const { file } = await fileIn()
    const lost = {
      check: () => {
        throw new Error('lost')
      },
    }
    expect(() => registerAt(file).write([one], lost)).toThrow('lost')
    expect(registerAt(file).read().workspaces).toEqual([])
  })
})
