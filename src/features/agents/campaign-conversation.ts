// The conversation of a campaign call: AI disclosure, functions for the model, rule-based wishes when there is no
// model, and at most one voicemail.

import type { RetryingWrite } from '../../base/concurrency/retrying-writes.ts'
import { disclosureSentence } from '../../base/domain/disclosure.ts'
import type { Log } from '../../base/process/log.ts'
import { nowMs } from '../../base/time/clock.ts'
import { type CallWish, callRequestIn, callWishIn } from '../../call-wishes/call-wishes.ts'
import { readCallbackTime } from '../../call-wishes/callback-time.ts'
import { campaignPhrases } from '../../call-wishes/campaign-phrases.ts'
import type { ChainLink } from '../../failover/ports.ts'
import { fillTemplate, zoneOf } from '../../llm/prompt.ts'
import type { AnsweredBy } from '../../voice/amd/classifier.ts'
import type { Llm, LlmPart, Message } from '../../voice/ports.ts'
import type { SessionEvent } from '../../voice/session.ts'
import type { PreparedAgent } from './agent-setup.ts'
import { campaignFunctions, campaignInstructions } from './campaign-functions.ts'
import type { CampaignCall } from './campaign-port.ts'

export type CampaignConversationParts = {
  campaign: CampaignCall
  callId: string
  conversationId: string
  /** Stores in call order; finishes before the end of the call is stored. */
  write: RetryingWrite
  log: Log
}

export type CampaignConversation = ReturnType<typeof campaignConversation>

const MAX_SAID = 500

/** State of one call, across all agents that take part. */
export function campaignConversation({ campaign, callId, conversationId, write, log }: CampaignConversationParts) {
  const { contact } = campaign
  const { names } = contact
  const stored = new Map<CallWish, Promise<void>>()
  let answeredBy: AnsweredBy | null = null
  let voicemailMessage = ''
  let hasLeftMessage = false
  /** A call-back time that a rule offered. It is stored once the caller's words are final. */
  let proposal: { said: string; atMs: number } | null = null

  /** Stores each wish once, whether the model or a rule notices it first. */
  function record(wish: CallWish, said: string): Promise<void> {
    const before = stored.get(wish)
    if (before) return before
    const note = said.slice(0, MAX_SAID).toWellFormed()
    const writing = write(callId, () => (wish === 'opt_out' ? campaign.optOut(note) : campaign.wrongPerson(note)))
    stored.set(wish, writing)
    writing.catch((err) => {
      stored.delete(wish)
      log.error({ err, callId, wish }, 'failed to store opt-out')
    })
    return writing
  }

  const schedule = (atMs: number, note: string | null) =>
    write(callId, () => campaign.scheduleCallback({ conversationId, atMs, note }))

  function heard(said: string): void {
    if (answeredBy === 'machine' || answeredBy === 'ivr') return
    const wish = callWishIn(said, names)
    if (wish) void record(wish, said).catch(() => {})
    if (proposal && said.endsWith(proposal.said)) {
      const { atMs } = proposal
      proposal = null
      schedule(atMs, said.slice(0, MAX_SAID)).catch((err) => log.error({ err, callId }, 'failed to store call-back'))
    }
  }

  function said(text: string): void {
    if (hasLeftMessage || answeredBy !== 'machine' || voicemailMessage === '' || text === '') return
    if (!voicemailMessage.startsWith(text.trim())) return
    hasLeftMessage = true
    write(callId, campaign.voicemailLeft).catch((err) =>
      log.error({ err, callId }, 'failed to store voicemail message'),
    )
  }

  /** The reply given without a model; null if the text is not about the campaign. */
  async function ruleReply(history: readonly Message[], language: string): Promise<LlmPart[] | null> {
    const phrases = campaignPhrases(language)
    const text = lastSaid(history)
    const wish = callWishIn(text, names)
    if (wish) return [{ say: phrases[wish], endsCall: 'agent_ended' }]
    const before = history.at(-2)
    const isAnswer =
      before?.role === 'agent' && [phrases.when, phrases.noTime].some((asked) => before.content.includes(asked))
    if (!isAnswer && callRequestIn(text) === null) return null
    const timeZone = zoneFor(language)
    const time = readCallbackTime(text, { language, timeZone, nowMs: nowMs() })
    if ('problem' in time) return isAnswer && time.problem === 'none' ? null : [{ say: phrases.when }]
    const atMs = await campaign.permittedMs(time.atMs)
    if (atMs === null) return [{ say: phrases.noTime }]
    proposal = { said: text, atMs }
    return [{ say: phrases.scheduled(atMs, timeZone), endsCall: 'agent_ended' }]
  }

  const zoneFor = (language: string) => contact.timeZone ?? zoneOf(language)

  /** Wraps a rule agent so that it answers such wishes first. */
  const ruled = (engine: Llm): Llm => ({
    ...engine,
    async *reply(history, tools, options, signal) {
      const last = history.at(-1)
      const parts =
        last?.role === 'user' && !options.isAboutConversation ? await ruleReply(history, options.language) : null
      if (parts) yield* parts
      else yield* engine.reply(history, tools, options, signal)
    },
  })

  return {
    /** Engines without a model answer wishes by rule. */
    links: (links: readonly ChainLink<Llm>[]): ChainLink<Llm>[] =>
      links.map((link) => (link.engine.isModel ? link : { ...link, engine: ruled(link.engine) })),

    /** Tells the model when the rules have recognized a wish. */
    llm: (llm: Llm): Llm =>
      llm.isModel
        ? {
            ...llm,
            reply: (history, ...rest) => llm.reply(withWish(history, callWishIn(lastSaid(history), names)), ...rest),
          }
        : llm,

    functions: (language: string, isModel: boolean) =>
      isModel ? campaignFunctions({ record, schedule, language, timeZone: zoneFor(language), nowMs }) : [],

    onEvent(event: SessionEvent): void {
      if (event.type === 'amd-result') answeredBy = event.by
      if (event.type !== 'utterance') return
      if (event.who === 'caller') heard(event.text)
      else said(event.text)
    },

    /** The first agent makes the disclosure; a later one only knows about the campaign. */
    prepared(next: PreparedAgent, isFirst: boolean): PreparedAgent {
      const { agent, options, variables } = next
      const { disclosure } = campaign.campaign
      const template = disclosureSentence({ disclosure, language: agent.language, agentName: agent.name })
      const preface = template === null ? null : fillTemplate(template, variables).text.trim() || null
      const systemPrompt = `${options.systemPrompt}\n\n${campaignInstructions(campaign, preface)}`
      if (!isFirst) return { ...next, options: { ...options, systemPrompt } }
      const leaves = options.rules.voicemail === 'message' && !contact.hasVoicemail
      const message = leaves ? [preface, options.amd?.message].filter(Boolean).join(' ') : ''
      voicemailMessage = message
      return {
        ...next,
        options: {
          ...options,
          systemPrompt,
          ...(preface === null ? {} : { preface }),
          ...(options.amd ? { amd: { message } } : {}),
          rules:
            options.rules.voicemail === 'message' && !leaves
              ? { ...options.rules, voicemail: 'hangup' }
              : options.rules,
        },
      }
    },
  }
}

function lastSaid(history: readonly Message[]): string {
  const last = history.at(-1)
  return last?.role === 'user' ? last.content : ''
}

const notes: Readonly<Record<CallWish, string>> = {
  opt_out: 'The person has just asked not to be called again; it is recorded. Call opt_out now.',
  wrong_person: 'This is not the person meant, or a wrong number; it is recorded. Call wrong_person now.',
}

/** Appended to the system prompt, because some models accept only one order of roles. */
function withWish(history: readonly Message[], wish: CallWish | null): readonly Message[] {
  const [first, ...rest] = history
  if (wish === null || first?.role !== 'system') return history
  return [{ ...first, content: `${first.content}\n\n${notes[wish]}` }, ...rest]
}
