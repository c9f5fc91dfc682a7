// All error texts, loaded with the first error after sign-in.
import type { Language } from '../language.ts'
import { translated } from '../server-text.ts'
import { devicesServerTexts } from '../server-texts/devices.ts'
import { requestsServerTexts } from '../server-texts/requests.ts'
import { servicesServerTexts } from '../server-texts/services.ts'
import { toolsServerTexts } from '../server-texts/tools.ts'
import { authErrorTexts } from './auth.ts'
import { callsErrorTexts } from './calls.ts'
import { campaignsErrorTexts } from './campaigns.ts'
import { devicesErrorTexts } from './devices.ts'
import { fieldLabels } from './field-labels.ts'
import { httpErrorTexts } from './http.ts'
import { knowledgeErrorTexts } from './knowledge.ts'
import { notFoundTexts } from './not-found.ts'
import { peopleErrorTexts } from './people.ts'
import { providersErrorTexts } from './providers.ts'
import { rehearsalsErrorTexts } from './rehearsals.ts'
import { speechErrorTexts } from './speech.ts'
import { toolsErrorTexts } from './tools.ts'
import { widgetsErrorTexts } from './widgets.ts'

const inLanguage = (language: Language): Readonly<Record<string, string>> => ({
  ...httpErrorTexts[language],
  ...authErrorTexts[language],
  ...callsErrorTexts[language],
  ...campaignsErrorTexts[language],
  ...devicesErrorTexts[language],
  ...toolsErrorTexts[language],
  ...knowledgeErrorTexts[language],
  ...peopleErrorTexts[language],
  ...providersErrorTexts[language],
  ...rehearsalsErrorTexts[language],
  ...speechErrorTexts[language],
  ...widgetsErrorTexts[language],
})

export const allErrorTexts: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  pt: inLanguage('pt'),
  en: inLanguage('en'),
  es: inLanguage('es'),
}

/** `what` is the API's name in snake case, such as knowledge_base. */
export function notFoundText(what: string, language: Language): string {
  const words: Readonly<Record<string, string>> = notFoundTexts[language]
  return words[what] ?? notFoundTexts[language].record
}

/** The form label of an API field: `steps.0.audio` falls back to the label of `audio`, then to the API's name. */
export function fieldLabel(field: string, language: Language): string {
  const labels: Readonly<Record<string, string>> = fieldLabels[language]
  const last = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field
  return labels[field] ?? labels[last] ?? field
}

const serverTexts = { ...servicesServerTexts, ...requestsServerTexts, ...devicesServerTexts, ...toolsServerTexts }

/** Translates a reason that the server embeds in another error in English. */
export const serverText = (text: string, language: Language): string => translated(text, language, serverTexts)
