// Templates for new agents, in the agent's language rather than the page's.
import type { Language } from '../../i18n/language.ts'
import { templatesEn } from './templates-en.ts'
import { templatesEs } from './templates-es.ts'
import { templatesPt } from './templates-pt.ts'

export const templateIds = ['receptionist', 'booking', 'orders', 'restaurant', 'outbound', 'blank'] as const
export type TemplateId = (typeof templateIds)[number]

export type Template = {
  /** The default name. */
  name: string
  direction: 'inbound' | 'outbound' | 'both'
  initialSpeech: string
  systemPrompt: string
  variables: Readonly<Record<string, string>>
  /** The success criterion of the post-call analysis. */
  success?: string
  /** The voicemail message of outbound calls. */
  voicemail?: string
}
export type Templates = Readonly<Record<TemplateId, Template>>

const all: Readonly<Record<Language, Templates>> = { pt: templatesPt, en: templatesEn, es: templatesEs }

export const templateIn = (id: TemplateId, language: Language): Template => all[language][id]

/** The request body of a new agent. */
export function bodyOf(
  template: Template,
  chosen: {
    name: string
    language: string
    ttsProvider: 'provider_a' | 'provider_b' | 'provider_c'
    voiceId: string | null
  },
) {
  const { direction, initialSpeech, systemPrompt, variables, success, voicemail } = template
  const settings = {
    ...(Object.keys(variables).length > 0 ? { variables: { ...variables } } : {}),
    ...(success ? { analysis: { success } } : {}),
    ...(voicemail ? { voicemail: { action: 'message' as const, message: voicemail } } : {}),
  }
  return { ...chosen, name: chosen.name.trim(), direction, initialSpeech, systemPrompt, settings }
}
