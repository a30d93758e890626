/**
 * Resolves every `@deepseek-ai/*` import, ours and the tests', into the tree of one chosen host. The files found lie
 * below a node_modules, so vitest leaves them to Node, which loads their own imports from the same tree: each host
 * package exists once. Only entry points are steered, by the very resolver that vite uses for all else.
 */
import { join } from 'node:path'
import type { Plugin } from 'vitest/config'

const HOST_PACKAGE = /^@deepseek-ai\//

/** @param tree - the folder that holds the host's `node_modules`. */
export function hostPackages(tree: string): Plugin {
  const inTree = join(tree, 'package.json')
  return {
    // Vitest keeps transformed modules on disk, with what their imports resolved to, and knows a project's resolver
    // by its plugins' names alone: without the tree in the name one host's tests would import the other host.
    name: `mnemos:host-packages:${tree}`,
    enforce: 'pre',
    async resolveId(source, _importer, options) {
      if (!HOST_PACKAGE.test(source)) return null
      const found = await this.resolve(source, inTree, { ...options, skipSelf: true })
      // Falling through would quietly give the package of the other host.
      if (found === null) throw new Error(`${source} is not in the host at ${tree}`)
      return found
    },
  }
}
