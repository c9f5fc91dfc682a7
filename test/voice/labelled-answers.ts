// Synthetic answers to outbound calls, with a label: people, mailboxes, menus, and what networks and PBXs play.
import type { HeardTone } from '../../src/voice/ports.ts'
import { atLevel, holdMusic, made, type NetworkTone, sine } from '../line-sounds.ts'
import { type AnswerLine, answerLine, at, RATE_HZ, type Said } from './answer-line.ts'

export type Answer = {
  kind: Kind
  label: 'person' | 'mailbox' | 'menu' | 'busy' | 'number_not_in_service' | 'fax'
  name: string
  pcm: Int16Array
  /** What a recognizer makes of it. */
  said: readonly Said[]
  /** The names that its tones should get. */
  tones: readonly HeardTone[]
}

const rings: readonly NetworkTone[] = [
  'ringback of Brazil and Europe',
  'ringback of North America',
  'ringback of the UK',
  'ringback of China',
]
/** Durations of whole rings. */
const ringSeconds = [5, 6, 3, 5]
const busies: readonly NetworkTone[] = [
  'busy tone of Brazil',
  'busy tone of Europe',
  'busy tone of North America',
  'busy tone of the UK',
  'busy tone of China',
]
const sits: readonly NetworkTone[] = ['SIT', 'SIT with gaps', 'SIT of North America']
const faxes: readonly NetworkTone[] = ['fax answer tone', 'fax calling tone']

type Maker = {
  label: Answer['label']
  count: number
  tones?: readonly HeardTone[]
  noiseDb?: number
  make(line: AnswerLine, index: number): Promise<void> | void
}
const beep = (line: AnswerLine) => {
  line.quiet(line.between(0.2, 1.1))
  line.play(
    made(RATE_HZ, line.between(0.22, 0.9), sine(at([440, 850, 1000, 1400], Math.floor(4 * line.random())), 0.1)),
  )
  line.quiet(15)
}
/** Whole rings, the last one cut off by the answer. */
const ring = (line: AnswerLine, index: number, times: number) => {
  line.quiet(line.between(0, 0.8))
  line.tone(at(rings, index), times * at(ringSeconds, index) - line.between(0, at(ringSeconds, index) - 0.3))
}
const music = (line: AnswerLine, index: number, seconds: number) => {
  line.quiet(line.between(0.2, 0.8))
  line.play(atLevel(holdMusic(index, RATE_HZ, seconds), line.between(-32, -16)))
  line.quiet(0.3)
}
const hello = async (line: AnswerLine) => {
  await line.says('hello')
  await line.waits()
}

const makers = {
  'short hello': {
    label: 'person',
    count: 30,
    async make(line) {
      line.quiet(line.between(0.2, 1.5))
      await hello(line)
    },
  },
  reception: {
    label: 'person',
    count: 20,
    async make(line) {
      line.quiet(line.between(0.2, 1))
      await line.says('reception')
      await line.waits()
    },
  },
  'hello in noise': {
    label: 'person',
    count: 20,
    noiseDb: -38,
    async make(line) {
      line.quiet(line.between(0.3, 1.5))
      await hello(line)
    },
  },
  'offers to take a message': {
    label: 'person',
    count: 9,
    async make(line) {
      line.quiet(0.5)
      await line.says('hello')
      line.quiet(line.between(1, 2.5))
      await line.says('offer')
      await line.waits()
    },
  },
  'hello beside something that beeps': {
    label: 'person',
    count: 9,
    tones: ['beep'],
    async make(line) {
      line.quiet(0.5)
      await line.says('hello')
      line.quiet(line.between(0.6, 1.5))
      line.play(made(RATE_HZ, 0.3, sine(1000, 0.05)))
      line.quiet(line.between(0.8, 2))
      await line.says('again')
      await line.waits()
    },
  },
  'hello after ringback': {
    label: 'person',
    count: 20,
    tones: ['ringback'],
    async make(line, i) {
      ring(line, i, 2)
      await hello(line)
    },
  },
  'hello after long ringback': {
    label: 'person',
    count: 8,
    tones: ['ringback'],
    async make(line, i) {
      ring(line, i, i % 4 === 2 ? 9 : 6)
      await hello(line)
    },
  },
  'hello after music': {
    label: 'person',
    count: 16,
    tones: ['music'],
    async make(line, i) {
      music(line, i + 1, line.between(8, 20))
      await hello(line)
    },
  },
  'call screening': {
    label: 'person',
    count: 9,
    async make(line) {
      line.quiet(0.6)
      await line.says('assistant')
      line.quiet(12)
    },
  },
  'mailbox with a tone': {
    label: 'mailbox',
    count: 21,
    tones: ['beep'],
    async make(line) {
      line.quiet(line.between(0.3, 1.2))
      await line.says('owner')
      beep(line)
    },
  },
  'mailbox with a tone, misheard': {
    label: 'mailbox',
    count: 15,
    tones: ['beep'],
    async make(line) {
      line.quiet(line.between(0.3, 1.2))
      await line.says('owner', true)
      beep(line)
    },
  },
  'brief mailbox with a tone': {
    label: 'mailbox',
    count: 12,
    tones: ['beep'],
    async make(line) {
      line.quiet(line.between(0.3, 1.2))
      await line.says('brief')
      beep(line)
    },
  },
  'mailbox without a tone': {
    label: 'mailbox',
    count: 15,
    async make(line) {
      line.quiet(line.between(0.3, 1.2))
      await line.says('owner')
      line.quiet(12)
    },
  },
  'mailbox without a tone, misheard': {
    label: 'mailbox',
    count: 4,
    async make(line) {
      line.quiet(line.between(0.3, 1.2))
      await line.says('owner', true)
      line.quiet(12)
    },
  },
  'announcement of a carrier': {
    label: 'mailbox',
    count: 12,
    async make(line) {
      line.quiet(line.between(0.3, 1.2))
      await line.says('carrier')
      line.quiet(12)
    },
  },
  'mailbox after ringback': {
    label: 'mailbox',
    count: 12,
    tones: ['ringback', 'beep'],
    async make(line, i) {
      ring(line, i, 3)
      await line.says('owner')
      beep(line)
    },
  },
  menu: {
    label: 'menu',
    count: 9,
    async make(line) {
      line.quiet(0.6)
      await line.says('menu')
      line.quiet(12)
    },
  },
  busy: {
    label: 'busy',
    count: 10,
    tones: ['busy'],
    make(line, i) {
      line.quiet(0.5)
      line.tone(at(busies, i), 12)
    },
  },
  'busy after ringback': {
    label: 'busy',
    count: 5,
    tones: ['ringback', 'busy'],
    make(line, i) {
      ring(line, i, 2)
      line.quiet(0.5)
      line.tone(at(busies, i), 12)
    },
  },
  SIT: {
    label: 'number_not_in_service',
    count: 9,
    tones: ['sit'],
    make(line, i) {
      line.quiet(0.5)
      line.tone(at(sits, i), 3)
    },
  },
  fax: {
    label: 'fax',
    count: 8,
    tones: ['fax'],
    make(line, i) {
      line.quiet(1)
      line.tone(at(faxes, i), 9)
    },
  },
  'hello beside a radio': {
    label: 'person',
    count: 8,
    async make(line) {
      line.quiet(0.5)
      await line.says('hello')
      line.quiet(line.between(0.1, 0.4))
      for (let sentences = 0; sentences < 5; sentences++) await line.radio()
    },
  },
} satisfies Readonly<Record<string, Maker>>
export type Kind = keyof typeof makers

/** All of them, or at most `each` of a kind; others with another `seed`. */
export async function* labelledAnswers(
  each = Number.POSITIVE_INFINITY,
  seed = 0,
  isWanted = (_kind: string) => true,
): AsyncGenerator<Answer> {
  for (const [which, [kind, maker]] of (Object.entries(makers) as [Kind, Maker][]).entries()) {
    if (!isWanted(kind)) continue
    for (let index = 0; index < Math.min(each, maker.count); index++) {
      const line = answerLine(1000 * seed + 50 * which + index)
      await maker.make(line, index)
      const { pcm, said } = line.end(maker.noiseDb ?? -62 + 12 * line.random())
      yield { kind, label: maker.label, name: `${kind} ${index}`, pcm, said, tones: maker.tones ?? [] }
    }
  }
}
