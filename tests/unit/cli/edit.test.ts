/** `mnemos edit`: what the person leaves in the editor is stored, or kept where they are told. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { editCommand } from '../../../src/cli/edit.ts'
import { editorOf } from '../../../src/cli/editor.ts'
import { inProcess } from '../../support/cli.ts'
import { filesBelow } from '../../support/files.ts'
import { tempDir } from '../../support/temp.ts'

const NOTE = 'The kettle whistles at 80 degrees\n\nIt is old.\n'

let temporary = ''
beforeEach(async () => {
  temporary = await tempDir('tmp')
  vi.stubEnv('TMPDIR', temporary)
  vi.stubEnv('VISUAL', undefined)
})
afterEach(() => vi.unstubAllEnvs())

async function withNote(text = NOTE) {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'))
  const file = join(root, 'memories', 'kettle.md')
  writeFileSync(file, text)
  const cli = await inProcess(root)
  /** Runs the command with a shell line as the editor; "$1" in it is the file. */
  const edit = async (line: string) => {
    const script = join(await tempDir('bin'), 'editor with spaces')
    writeFileSync(script, `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    vi.stubEnv('EDITOR', `'${script}' --wait`)
    // The option comes first, as in `code --wait FILE`.
    await editCommand(cli.session, 'kettle')
    return cli.said()
  }
  return { root, file, edit, cli, now: () => readFileSync(file, 'utf8') }
}
/** Copies that were not taken away. */
const left = () => readdirSync(temporary).filter((name) => name.startsWith('mnemos-edit-'))
const keptIn = (error: unknown) =>
  /kept in (.*)$/.exec(error instanceof Error ? error.message : '')?.[1] ?? ''
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error,
  )

describe('mnemos edit', () => {
  it('stores what was left in the editor, and nothing stays outside the folder', async () => {
    const { edit, now } = await withNote()
    const { value, text } = await edit('sed -i s/80/90/ "$2"; cp "$2" "$2~"')
    expect(now()).toBe(NOTE.replace('80', '90'))
    expect(value).toMatchObject({ id: 'kettle', written: true, merged: false, conflicts: [] })
    expect(text).toBe('Stored kettle.')
    expect(left()).toEqual([])
  })

  it('gives the editor a copy that nobody else can read', async () => {
    const { edit } = await withNote()
    await edit(`stat -c %a "$2" > ${temporary}/mode; stat -c %a "$(dirname "$2")" >> ${temporary}/mode`)
    expect(readFileSync(join(temporary, 'mode'), 'utf8')).toBe('600\n700\n')
  })

  it('writes nothing when nothing was changed', async () => {
    const { root, file, edit } = await withNote()
    const before = statSync(file).mtimeMs
    expect((await edit('touch "$2"')).value).toMatchObject({ written: false })
    expect(statSync(file).mtimeMs).toBe(before)
    expect(filesBelow(join(root, 'ledger'))).toEqual([])
    expect(left()).toEqual([])
  })

  it('understands an editor that writes a byte order mark and Windows line ends', async () => {
    const { edit, now } = await withNote()
    await edit(`printf '\\357\\273\\277The kettle is gone\\r\\n' > "$2"`)
    expect(now()).toBe('The kettle is gone\n')
  })

  it('keeps what cannot be a record, and says where and why', async () => {
    const { edit, now } = await withNote()
    const error = await failure(edit(`printf -- '---\\nrev: many\\n---\\nmy words\\n' > "$2"`))
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/rev: .*Nothing was stored/),
    })
    expect(readFileSync(keptIn(error), 'utf8')).toContain('my words')
    expect(statSync(keptIn(error)).mode & 0o777).toBe(0o600)
    expect(now()).toBe(NOTE)
  })

  it('keeps the text when a gate refuses it, when the editor fails, and when the record is gone', async () => {
    const { edit, file, cli, now } = await withNote()
    const failed = await failure(edit('echo more >> "$2"; exit 3'))
    expect(failed).toMatchObject({ code: 'REFUSED', message: expect.stringContaining('ended with code 3') })
    expect(readFileSync(keptIn(failed), 'utf8')).toBe(`${NOTE}more\n`)
    const remove = cli.session.store.admission.register({
      name: 'test',
      check: () => {
        throw new Error('no')
      },
    })
    const refused = await failure(edit('echo other >> "$2"'))
    remove()
    expect(refused).toMatchObject({ code: 'REFUSED' })
    expect(readFileSync(keptIn(refused), 'utf8')).toBe(`${NOTE}other\n`)
    expect(now()).toBe(NOTE)
    const gone = await failure(edit(`echo late >> "$2"; rm ${file}`))
    expect(gone).toMatchObject({ code: 'NOT_FOUND' })
    expect(readFileSync(keptIn(gone), 'utf8')).toBe(`${NOTE}late\n`)
    expect(existsSync(file)).toBe(false)
  })

  it('refuses an emptied text, and keeps no copy of it', async () => {
    const { edit, now } = await withNote()
    const error = await failure(edit(': > "$2"'))
    expect(error).toMatchObject({ message: expect.stringContaining('mnemos delete kettle') })
    expect(now()).toBe(NOTE)
    expect(left()).toEqual([])
  })

  it('merges with what was saved meanwhile, and reports a conflict', async () => {
    const { file, edit, now } = await withNote()
    const merged = await edit(`echo 'It is red.' >> ${file}; sed -i s/80/90/ "$2"`)
    expect(now()).toBe('The kettle whistles at 90 degrees\n\nIt is old.\nIt is red.\n')
    expect(merged.text).toContain('changed on disk meanwhile')
    const conflict = await edit(`sed -i s/old/new/ ${file}; sed -i s/old/ancient/ "$2"`)
    expect(conflict.value.conflicts).toMatchObject([{ field: 'content' }])
    expect(conflict.text).toContain('Conflict: both changed the same lines')
    for (const word of ['new', 'ancient']) expect(now()).toContain(word)
  })
})

describe('the editor', () => {
  it('is VISUAL, then EDITOR, then one that is there, and none where nobody sits', async () => {
    const bin = await tempDir('bin')
    writeFileSync(join(bin, 'nano'), '', { mode: 0o755 })
    expect(editorOf({ VISUAL: 'code --wait', EDITOR: 'vi' }, false)).toBe('code --wait')
    expect(editorOf({ VISUAL: ' ', EDITOR: 'vi' }, false)).toBe('vi')
    expect(editorOf({ PATH: bin }, true)).toBe('nano')
    expect(() => editorOf({ PATH: '' }, true)).toThrow('No editor was found. Set EDITOR')
    expect(() => editorOf({ PATH: bin }, false)).toThrow('no terminal for an editor')
  })
})
