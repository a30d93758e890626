/** On a laptop's screen both answers of the dialogue are in sight without scrolling, in either language. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { startFakeModel } from '../support/fake-model.ts'
import { availableHosts, installPlugin } from '../support/hosts.ts'
import { tempDir } from '../support/temp.ts'
import { findChromium, openWeb } from '../support/web.ts'

/** Where pictures are put, for a person to look at; nowhere when it is not set. */
const PICTURES = process.env.MNEMOS_TEST_PICTURES

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
]

const LANGUAGES = [
  {
    language: 'en',
    locale: 'en_US.UTF-8',
    summary:
      'The billing service is deployed every Friday at five in the afternoon from the machine in the cellar, with the key that lies in the safe of the office; ask before you change anything there, please',
    details: 'Paid by the team account.\nAsk Li before it changes.',
    headline: 'Save a new user memory?',
    answers: ['Allow once', 'Reject'],
  },
  {
    language: 'zh',
    locale: 'zh_CN.UTF-8',
    summary:
      '账单服务每周五下午五点从地下室的机器上部署，所用的密钥放在办公室的保险柜里；改动之前请先问一声负责人，不要自行决定，谢谢你',
    details: '费用由团队账户支付。\n改动之前先问李娜。',
    headline: '保存一条新的用户记忆？',
    answers: ['允许一次', '拒绝'],
  },
]

/** Whether a person would see and hit all of it: nothing covers its middle or its lower edge, no box cuts it off. */
const isInSight = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => {
    const row = element.closest('label') ?? element
    const { left, right, top, bottom } = row.getBoundingClientRect()
    return [(top + bottom) / 2, bottom - 3].every((y) =>
      row.contains(row.ownerDocument.elementFromPoint((left + right) / 2, y)),
    )
  })

describe.each(await availableHosts())('the page of $name', (host) => {
  it.skipIf(findChromium() === undefined).each(LANGUAGES)(
    'shows both answers and the whole summary, in $language',
    async ({ language, locale, summary, details, headline, answers }) => {
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(200)
      expect(Buffer.byteLength(summary)).toBeGreaterThan(170)
      const home = await tempDir('home')
      await installPlugin(host, home, 'web', inject('tarball'))
      const args = { mode: 'create', name: 'deployment-of-billing', type: 'project', summary, details }
      const model = await startFakeModel(({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'done' } : { toolCalls: [{ name: 'memory_save', args }] },
      )
      const web = await openWeb(host, { home, env: { ...model.env, LANG: locale, LC_ALL: locale } })
      try {
        const { page } = web
        await page.setViewportSize({ width: 1280, height: 720 })
        await web.send('save')
        await page.getByText(headline).last().waitFor()
        const card = page.locator('section[aria-labelledby^="question-"]').last()
        for (const size of SIZES) {
          await page.setViewportSize(size)
          const options = answers.map((name) => card.getByRole('radio', { name }))
          await expect
            .poll(() => Promise.all([card.getByText(summary), ...options].map(isInSight)), { timeout: 5_000 })
            .toEqual([true, true, true])
          if (PICTURES !== undefined) {
            await mkdir(PICTURES, { recursive: true })
            const name = `${host.name}-${language}-${size.width}x${size.height}.png`
            await page.screenshot({ path: join(PICTURES, name) })
          }
        }
      } finally {
        if (PICTURES !== undefined) {
          await mkdir(PICTURES, { recursive: true })
          await web.page.screenshot({ path: join(PICTURES, `${host.name}-${language}-last.png`) })
        }
        await web.close()
        await model.close()
      }
    },
  )
})
