/** Words that questions are made of and no answer is found by. They count only when a query has no others. */
import { fold, wordStem } from '../index/stem.ts'

const ENGLISH = `a an the this that these those it its he him his she her hers they them their theirs we us our ours i
  me my mine you your yours who whom whose what which when where why how is am are was were be been being do does did
  done doing has have had having can could will would shall should may might must of in on at by for with from to into
  onto about as than then so if or and but not no nor too very just also there here some any each such own same both
  im ive id ill youre youve hes shes its theyre theyve weve were isnt arent wasnt werent dont doesnt didnt hasnt
  havent hadnt cant couldnt wont wouldnt shouldnt whats whos wheres hows thats theres lets please tell know
  s t re ve ll d m ok hi hello yes`

const CHINESE = `的 了 是 在 和 与 及 或 也 都 就 还 又 而 但 把 被 让 给 对 向 从 到 于 以 之 其 此 该 这 那 这个 那个 这些 那些
  这里 那里 这样 那样 哪 哪个 哪些 哪里 哪儿 哪位 哪一 哪年 什么 甚么 怎么 怎样 怎么样 如何 为什么 为何 何时 何地 何人 何 谁 多少
  几 吗 呢 吧 啊 呀 嘛 哦 嗯 哈 我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 有 没有 没 不 很 太 更 最 一个 一下 一些
  可以 能 能够 会 要 请 请问 知道 告诉 时候 什么样 有没有 是否 是不是 那么 这么 所以 因为 如果 然后 已经 曾经 曾 过 着 地 得 们 个 吗
  叫 叫做 称为 属于 关于 以及 并 并且 等 等等 里 中 上 下 时 年 月 日 位 名 者 所 哪种 哪一个 哪一年 什麼 甚麼 怎麼 怎樣 怎麼樣 為什麼
  為何 何時 誰 幾 嗎 這 這個 那個 這些 這裡 那裡 這樣 那樣 我們 你們 他們 沒有 沒 個 們 來 来 請 請問 會 與 於 對 從 給 讓 時候 過 著
  裡 並 並且 還 讓 爲什麼 関`

const JAPANESE =
  'は が を に へ で と も の か な だ です ます した して する いる ある これ それ どこ いつ 何 なに だれ どう'
const KOREAN = '은 는 이 가 을 를 에 의 와 과 도 로 으로 에서 무엇 언제 어디 누가 왜'

const wordList = (list: string): string[] => list.split(/\s+/)

const stems: ReadonlySet<string> = new Set(wordList(ENGLISH).map((word) => wordStem(fold(word))))
const unspaced: ReadonlySet<string> = new Set(wordList(`${CHINESE} ${JAPANESE} ${KOREAN}`))

/** Whether a term is a stop word. @param stem - a term of a spaced script, as segmentation makes it. */
export const isStopStem = (stem: string): boolean => stems.has(stem)
/** Whether a word is a stop word. @param word - a word of a script without spaces, as written. */
export const isStopWord = (word: string): boolean => unspaced.has(word)
