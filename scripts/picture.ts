/**
 * `pnpm picture [folder]`: takes the pictures of the README anew, one a language, in the real page of the
 * newer host: what was said to one process is known to the next, in another session. The plugin is packed and
 * installed as people install it; a scripted model plays the assistant. Needs Chromium. The files are
 * `remembered.png` and `remembered.zh.png` in the folder, which is `docs/` where none is named.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAndPack } from '../tests/support/build.ts'
import { startFakeModel } from '../tests/support/fake-model.ts'
import { type Host, host02, hostRc8, installPlugin } from '../tests/support/hosts.ts'
import type { Script } from '../tests/support/model-view.ts'
import { findChromium, openWeb } from '../tests/support/web.ts'

interface Story {
  file: string
  locale: string
  /** What the page calls the steps before the answer, from the outside in: each is folded until it is clicked. */
  folded: readonly RegExp[]
  title: { told: string; asked: string }
  told: string
  summary: string
  stored: string
  asked: string
  query: string
  answer: string
}

const STORIES: readonly Story[] = [
  {
    file: 'remembered.png',
    locale: 'en-US',
    folded: [/Completed in/, /Called tools/],
    title: { told: 'Staging database port', asked: 'Which port is it?' },
    told: 'Remember: the staging database of the billing service listens on port 5433.',
    summary: 'The staging database of the billing service listens on port 5433',
    stored: 'I have noted it.',
    asked: 'Which port does the staging database of the billing service listen on?',
    query: 'staging database billing port',
    answer: 'On port 5433: you told me so in an earlier session, and it stands in my memory as ….',
  },
  {
    file: 'remembered.zh.png',
    locale: 'zh-CN',
    folded: [/已完成/, /已调用工具/],
    title: { told: '预发布库的端口', asked: '端口是多少' },
    told: '记住：计费服务的预发布数据库监听 5433 端口。',
    summary: '计费服务的预发布数据库监听 5433 端口',
    stored: '已经记下。',
    asked: '计费服务的预发布数据库监听哪个端口？',
    query: '计费服务 预发布数据库 端口',
    answer: '监听 5433 端口。这是你在之前的会话里告诉我的，记忆中的编号是 …。',
  },
]
const SIZE = { width: 1120, height: 620 }
const root = join(import.meta.dirname, '..')

const call = (name: string, args: unknown) => ({ toolCalls: [{ name, args }] })

/** What the assistant does next follows from what the tools answered since the person spoke. */
const assistant =
  (story: Story): Script =>
  ({ messages }) => {
    const from = messages.findLastIndex(({ text }) => text === story.told || text === story.asked)
    const results = messages.slice(from + 1).flatMap((message) => message.results)
    const last = results.at(-1)
    if (messages[from]?.text === story.told)
      return last ? { text: story.stored } : call('remember', { summary: story.summary })
    if (!last) return call('recall', { query: story.query })
    const id: string = JSON.parse(last.text).hits?.[0]?.id ?? JSON.parse(last.text).id
    return results.length === 1 ? call('open', { id }) : { text: story.answer.replace('…', id) }
  }

/** One process of the host: the person says something, and the answer is waited for. */
async function say(
  host: Host,
  home: string,
  story: Story,
  { text, title, answer, picture }: { text: string; title: string; answer: string; picture?: string },
): Promise<void> {
  const model = await startFakeModel(assistant(story), { title })
  const system = `${story.locale.replace('-', '_')}.UTF-8`
  const web = await openWeb(host, {
    home,
    env: { ...model.env, LANG: system, LC_ALL: system },
    ...(picture === undefined ? {} : { locale: story.locale }),
  })
  try {
    await web.page.setViewportSize(SIZE)
    await web.send(text)
    await web.page
      .getByText(answer.split('…')[0] ?? '')
      .last()
      .waitFor()
    // The title of the session comes beside the answer.
    await web.page.getByText(title).first().waitFor()
    if (picture !== undefined) {
      for (const name of story.folded) await web.page.getByText(name).last().click()
      await web.page.mouse.move(0, 0)
      await web.page.waitForTimeout(500)
      await web.page.screenshot({ path: picture, animations: 'disabled', caret: 'hide' })
    }
  } finally {
    await web.close()
    await model.close()
  }
}

async function main(): Promise<void> {
  if (findChromium() === undefined) throw new Error('Without Chromium no picture is taken.')
  const into = process.argv[2] ?? join(root, 'docs')
  await mkdir(into, { recursive: true })
  const host = (await host02()) ?? hostRc8()
  const work = await mkdtemp(join(tmpdir(), 'mnemos-picture-'))
  try {
    const tarball = await buildAndPack(await mkdtemp(join(work, 'pack-')))
    for (const story of STORIES) {
      const home = await mkdtemp(join(work, 'home-'))
      await installPlugin(host, home, 'web', tarball)
      await say(host, home, story, { text: story.told, title: story.title.told, answer: story.stored })
      const picture = join(into, story.file)
      await say(host, home, story, {
        text: story.asked,
        title: story.title.asked,
        answer: story.answer,
        picture,
      })
      process.stdout.write(`${picture}\n`)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

await main()
