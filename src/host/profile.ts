/** Which profile the host runs, from where it keeps it. */
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { dshHomeOf, type Environment } from '../files/data-folder.ts'

/** `baseUrl` is `$DSH_HOME/profiles/<name>/` on every host that has profiles. */
export function profileOf(ctx: Context, environment: Environment): { name: string; dshHome: string } {
  const { baseUrl } = ctx as Context & { baseUrl?: string }
  if (typeof baseUrl === 'string' && baseUrl.startsWith('file:')) {
    const folder = fileURLToPath(baseUrl).replace(/[/\\]+$/, '')
    if (basename(dirname(folder)) === 'profiles') {
      return {
        name: basename(folder),
        dshHome: environment.DSH_HOME ? dshHomeOf(environment) : dirname(dirname(folder)),
      }
    }
  }
  return { name: 'default', dshHome: dshHomeOf(environment) }
}
