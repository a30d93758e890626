/** A short record that answers stands before a long one that repeats the words of the question. */
import { expect, it } from 'vitest'
import { record, storeOf } from '../index/fixture.ts'

const projects = Array.from({ length: 31 }, (_, n) =>
  record({
    id: `p${n}`,
    summary:
      n % 2
        ? `The owner of project ${n} is person ${n}`
        : `项目 ${n} 的负责人是员工 ${n}，部署在机房 ${n % 5}`,
  }),
)

const chinese = `第一项：退款服务的超时问题，超时告警在夜间出现了很多次，退款服务的日志显示超时集中在支付网关。
张伟说退款服务的超时要先看网关，再看退款服务自己的队列。
第二项：退款服务的发布计划，服务下周上线，超时的监控先不动。
第三项：多少人参加值班，退款由谁负责，服务的文档由李娜补充。
会议决定继续观察退款服务的超时情况，下次会议再讨论超时。`

const english = `First: the timeout of the refund service. Timeout alerts came up at night, and the logs of the refund service show
that every timeout happens at the gateway. Zhang says that the refund service should look at its timeout in the queue.
Second: the release of the refund service is next week, and the timeout of the service stays as it is until then.
Third: who takes part in the rota for refund and service, and who writes the documents of the refund service.
Decision: watch the timeout of the refund service, and talk about the timeout again in the next meeting.`

const { idsOf } = storeOf([
  ...projects,
  record({ id: 'zh', summary: '退款服务的超时是 30 秒' }),
  record({ id: 'zh-minutes', summary: '支付组会议纪要', content: chinese }),
  record({ id: 'en', summary: 'The timeout of the refund service is 30 seconds' }),
  record({ id: 'en-minutes', summary: 'Minutes of the payments group', content: english }),
])

it.each([
  ['退款服务的超时是多少', 'zh'],
  ['退款服务的超时', 'zh'],
  ['退款服务超时多久', 'zh'],
  ['What is the timeout of the refund service?', 'en'],
  ['refund service timeout', 'en'],
])('"%s" finds the fact before the minutes', (query, fact) => {
  expect(idsOf(query).slice(0, 2)).toEqual([fact, `${fact}-minutes`])
})

it('a word that the dictionary cuts in two still counts', () => {
  // ICU reads 超时 as two words, the second of which is a stop word.
  const store = storeOf([
    ...projects,
    record({ id: 'word', summary: '登录超时' }),
    record({ id: 'character', summary: '登录超过次数时锁定' }),
  ])
  expect(store.idsOf('登录超时')[0]).toBe('word')
})
