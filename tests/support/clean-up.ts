/**
 * A setup file, since those are run anew for each test file. Files of the fast projects share their modules: a hook in
 * one of those would be there for the first file alone.
 */
import { afterAll } from 'vitest'
import { removeTempDirs } from './temp.ts'

// The first hook of the file and, hooks being unwound backwards, the last to run: what the tests started is stopped.
afterAll(removeTempDirs)
