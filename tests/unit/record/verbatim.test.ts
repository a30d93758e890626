import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CUT, cutVerbatim, verbatimOf } from '../../../src/record/verbatim.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'

const cut = (text: string, ...deleted: string[]) => cutVerbatim(text, verbatimOf(deleted))

describe('cutting what was copied word for word', () => {
  it('takes runs of five words, whatever their case and the marks between them', () => {
    expect(
      cut(
        'He said: The RED, fox - jumps over it all. Then he left.',
        'yesterday the red fox jumps over everything',
      ),
    ).toBe(`He said: ${CUT} it all. Then he left.`)
    expect(cut('the red fox jumps', 'the red fox jumps over')).toBe('the red fox jumps')
  })

  it('takes runs of eight characters of unspaced script, and mixed runs', () => {
    expect(cut('会议纪要:生产环境的数据库密码在保险柜里。完', '生产环境的数据库密码在保险柜里')).toBe(
      `会议纪要:${CUT}。完`,
    )
    expect(cut('生产环境的数据', '生产环境的数据库')).toBe('生产环境的数据')
    expect(cut('请把 port 改成 6543 再试试', '已经 port 改成 6543 再试试了')).toBe(`请把 ${CUT}`)
  })

  it('takes all of a text that was copied whole, and leaves a text that shares nothing', () => {
    const word = fc.stringMatching(/^[a-m]{2,8}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 5, maxLength: 40 }),
        fc.array(word, { maxLength: 10 }),
        (copied, around) => {
          const text = copied.join(' ')
          const after = cut(`ZZ ${around.map((one) => `q${one}`).join(' ')} ${text} YY`, text)
          expect(after).not.toContain(text)
          expect(after.startsWith('ZZ ')).toBe(true)
          expect(after.endsWith(' YY')).toBe(true)
        },
      ),
    )
    expect(cut('nothing of this is known there', 'quite another text with other words')).toBe(
      'nothing of this is known there',
    )
  })
})

describe('deleting a record that others were made from', () => {
  const person = personContext()

  it('cuts its words out of them, through several steps, and marks them for rewriting', async () => {
    const { store, root } = await openStore()
    const create = async (summary: string, content: string, derivedFrom: string[] = []) =>
      (await store.commit([{ act: 'create', record: { summary, content, derivedFrom } }], person)).records[0]
        ?.id ?? ''
    const secret = await create('The safe stands behind the third bookshelf', '保险柜的密码写在日历的背面。')
    const first = await create(
      'Notes of the week',
      'On Monday: the safe stands behind the third bookshelf, she said. 另外:保险柜的密码写在日历的背面。',
      [secret],
    )
    const second = await create('Notes of the month', 'Again: The safe stands behind the third bookshelf!', [
      first,
    ])
    const other = await create('Unrelated', 'A chair stands behind the third door.')
    const paraphrase = await create('Made from it too', 'There is a strongbox in the library.', [secret])
    const { erased, left } = await store.delete(secret, person)
    expect({ erased, left }).toEqual({
      erased: ['records made from it', 'record files', 'unfinished changes', 'search index'],
      left: [],
    })
    expect(holding(root, 'third bookshelf')).toEqual([])
    expect(holding(root, '日历的背面')).toEqual([])
    expect((await store.get(first)).record).toMatchObject({
      content: `On Monday: ${CUT}, she said. 另外:${CUT}。`,
      rewrite: true,
      rev: 2,
      derivedFrom: [secret],
    })
    expect((await store.get(second)).record).toMatchObject({ content: `Again: ${CUT}!`, rewrite: true })
    for (const id of [other, paraphrase])
      expect((await store.get(id)).record).toMatchObject({ rev: 1, rewrite: false })
  })
})
