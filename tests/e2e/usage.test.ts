/** A wrong call of `mnemos`: what a person reads, and the documented exit code. */
import { describe, expect, it } from 'vitest'
import { runCli } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'

describe('mnemos', () => {
  it('shows the help page, line by line, where no command is named', async () => {
    const env = { DSH_HOME: await tempDir('home') }
    const [bare, constitution, json] = await Promise.all([
      runCli([], env),
      runCli(['constitution'], env),
      runCli(['--json'], env),
    ])
    expect(bare).toMatchObject({ code: 2, stdout: '' })
    expect(bare.stderr).toMatch(/^Usage: mnemos .*\n\nShow, search/)
    expect(bare.stderr).toMatch(/\n {2}doctor .*\n/)
    expect(constitution).toMatchObject({ code: 2, stdout: '' })
    expect(constitution.stderr).toMatch(/^Usage: mnemos constitution .*\n[\s\S]*\n {2}update /)
    expect(json.code).toBe(2)
    expect(JSON.parse(json.stdout).error.message).toBe('No command was named. See mnemos --help.')
  })

  it('says in whole sentences what is wrong with a call', async () => {
    const env = { DSH_HOME: await tempDir('home') }
    const [noWhy, unknown] = await Promise.all([runCli(['deprecate', 'x'], env), runCli(['serach'], env)])
    expect(noWhy).toMatchObject({
      code: 2,
      stderr: "mnemos: Required option '--why <text>' not specified. See mnemos --help.\n",
    })
    expect(unknown.stderr).toBe(
      "mnemos: Unknown command 'serach' (Did you mean search?). See mnemos --help.\n",
    )
  })
})
