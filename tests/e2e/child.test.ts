/** Proves the bench, not the plugin: no child outlives its test, and none can hang it. */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { runChild, spawnChild } from '../support/child.ts'

const OPTIONS = { cwd: tmpdir(), env: { PATH: process.env.PATH ?? '' } }

/** A process that has ended but that nobody has waited for (an orphan, where the machine's init does not reap) is not alive. */
function alive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  const state = stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

it('does not wait for a grandchild that holds the output pipe, and ends it', async () => {
  const started = performance.now()
  const { code, stdout } = await runChild('sh', ['-c', 'sleep 60 & echo $!'], OPTIONS)
  expect(code).toBe(0)
  expect(performance.now() - started).toBeLessThan(5_000)
  await expect.poll(() => alive(Number(stdout))).toBe(false)
})

it('ends a child that takes too long, and says so', async () => {
  const late = runChild('sh', ['-c', 'echo began; sleep 60'], { ...OPTIONS, timeoutMs: 200 })
  await expect(late).rejects.toThrow(/over 200 ms\s+began/)
})

it('gives input, and both outputs apart', async () => {
  const done = await runChild('sh', ['-c', 'cat; echo bad >&2; exit 3'], { ...OPTIONS, input: 'in' })
  expect(done).toEqual({ code: 3, stdout: 'in', stderr: 'bad\n' })
})

it('stops the whole group of a server', async () => {
  const server = spawnChild('sh', ['-c', 'sleep 60 & echo at $!; wait'], OPTIONS)
  const [, inner] = await server.waitFor(/at (\d+)/)
  await server.stop()
  expect(alive(server.pid)).toBe(false)
  await expect.poll(() => alive(Number(inner))).toBe(false)
})

it('tells of a server that ended before it was ready', async () => {
  const server = spawnChild('sh', ['-c', 'echo oh dear; exit 4'], OPTIONS)
  await expect(server.waitFor(/ready/)).rejects.toThrow(/ended with 4[\s\S]*oh dear/)
  await server.stop()
})
