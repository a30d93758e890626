/** Putting the pieces of one data folder together. */
import { dirname } from 'node:path'
import { type Clock, iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { isGone } from '../files/claim.ts'
import { Intents } from '../files/intent.ts'
import type { Layout } from '../files/layout.ts'
import { Ledger } from '../files/ledger.ts'
import { isOwnFolder, makeOwnFolder } from '../files/own-folder.ts'
import { Pending } from '../files/pending.ts'
import { RecordFiles, readOrFail } from '../files/record-files.ts'
import { Tombstones } from '../files/tombstones.ts'
import { removeDatabase } from '../search/index/driver.ts'
import { RecordIndex } from '../search/index/record-index.ts'
import { Admission } from './admission.ts'
import { Catalog } from './catalog.ts'
import { derivedPlace } from './derived.ts'
import { IndexKeeper } from './index-keeper.ts'
import type { Pieces } from './pieces.ts'
import { Places } from './places.ts'
import { Workspaces } from './workspaces.ts'

/** @param isReadOnly whether the folder is only read just now: its index is then kept in memory. */
export function piecesOf(layout: Layout, clock: Clock, disk: Disk, isReadOnly: () => boolean): Pieces {
  const files = new RecordFiles(disk, layout.memories)
  const tombstones = new Tombstones(disk, layout)
  const openIndex = () => {
    if (isReadOnly()) return RecordIndex.open(disk, ':memory:')
    if (isGone(disk, layout))
      throw new MnemosError('STORAGE', 'the data folder is not there just now.', 'Mount its disk.')
    makeOwnFolder(disk, dirname(layout.index))
    return RecordIndex.open(disk, layout.index)
  }
  const dropIndex = () => {
    // Behind a link lies nothing that we made.
    if (isOwnFolder(disk, dirname(layout.index))) removeDatabase(disk, layout.index)
  }
  const pieces: Pieces = {
    clock,
    disk,
    files,
    tombstones,
    catalog: new Catalog(files, tombstones, new IndexKeeper(openIndex, dropIndex)),
    admission: new Admission(),
    ledger: new Ledger(disk, layout.ledger),
    pending: new Pending(disk, layout.pending),
    intents: new Intents(disk, layout.intent),
    places: new Places(),
    workspaces: new Workspaces(disk, layout.workspaces, clock.now),
  }
  registerPlaces(pieces, dropIndex)
  return pieces
}

/** The places of the store's own that hold record text. */
function registerPlaces(pieces: Pieces, dropIndex: () => void): void {
  const { places, files, catalog, pending } = pieces
  places.register(derivedPlace(pieces))
  places.register({
    name: 'record files',
    erase: (deleted) => {
      for (const { id, paths } of deleted) for (const path of paths) removeDeleted(pieces, id, path)
      files.sweep(files.scan().temporary)
    },
  })
  places.register({
    name: 'unfinished changes',
    folder: 'pending',
    erase: (deleted) => pending.erase(deleted),
  })
  places.register({
    name: 'search index',
    erase: (deleted) => {
      if (catalog.unavailable === undefined) catalog.erase(deleted)
      // An index that cannot be opened is removed whole: it is derived, and the text may be in it.
      else dropIndex()
    },
  })
}

/** What a person wrote under that name since the deletion is a new record and none of ours to remove. */
function removeDeleted({ files, tombstones }: Pieces, id: string, path: string): void {
  const loaded = readOrFail(files, path)
  if (!loaded) return
  // One that cannot be read says no more of itself than its time.
  const is = 'record' in loaded ? loaded.record : { id, created: iso(loaded.file.mtimeMs) }
  if (is.id === id && tombstones.isDeleted(id, is.created)) files.remove(path)
}
