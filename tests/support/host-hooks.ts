/**
 * For programs that run on plain Node (`--import` this file): every `@deepseek-ai/*` import of ours is taken from the
 * tree of the host that MNEMOS_TEST_HOST_TREE names. The test runner has its own way: `host-packages.ts`.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const tree = process.env.MNEMOS_TEST_HOST_TREE
if (tree === undefined) throw new Error('MNEMOS_TEST_HOST_TREE names no host')
const parentURL = pathToFileURL(join(tree, 'package.json')).href

registerHooks({
  resolve(specifier, context, next) {
    // What the host's own files import is found beside them.
    const isOurs = !context.parentURL?.includes('/node_modules/')
    return specifier.startsWith('@deepseek-ai/') && isOurs
      ? next(specifier, { ...context, parentURL })
      : next(specifier, context)
  },
})
