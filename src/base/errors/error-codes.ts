// Every error code with its kind and English message; {names} in the message are the code's parameters. Codes are part
// of the API and are never renamed. The dashboard's texts for them are in web/src/i18n/error-texts.
import { authErrors } from './error-codes/auth.ts'
import { callsErrors } from './error-codes/calls.ts'
import { campaignsErrors } from './error-codes/campaigns.ts'
import { devicesErrors } from './error-codes/devices.ts'
import { httpErrors } from './error-codes/http.ts'
import { knowledgeErrors } from './error-codes/knowledge.ts'
import { peopleErrors } from './error-codes/people.ts'
import { providersErrors } from './error-codes/providers.ts'
import { rehearsalsErrors } from './error-codes/rehearsals.ts'
import { speechErrors } from './error-codes/speech.ts'
import { toolsErrors } from './error-codes/tools.ts'
import { widgetsErrors } from './error-codes/widgets.ts'

/** By area, one file each. */
export const errorAreas = {
  http: httpErrors,
  auth: authErrors,
  calls: callsErrors,
  campaigns: campaignsErrors,
  devices: devicesErrors,
  tools: toolsErrors,
  knowledge: knowledgeErrors,
  people: peopleErrors,
  providers: providersErrors,
  rehearsals: rehearsalsErrors,
  speech: speechErrors,
  widgets: widgetsErrors,
} as const

export const errorCodes = {
  ...httpErrors,
  ...authErrors,
  ...callsErrors,
  ...campaignsErrors,
  ...devicesErrors,
  ...toolsErrors,
  ...knowledgeErrors,
  ...peopleErrors,
  ...providersErrors,
  ...rehearsalsErrors,
  ...speechErrors,
  ...widgetsErrors,
} as const

export type ErrorCode = keyof typeof errorCodes

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The parameters of a code, as named in its message. */
export type ParamsOf<C extends ErrorCode> = Readonly<Record<NamesIn<(typeof errorCodes)[C][1]>, string | number>>

/** The English message of a code, with its parameters filled in. */
export function errorText<C extends ErrorCode>(code: C, params: ParamsOf<C>): string {
  const values: Readonly<Record<string, string | number>> = params
  return errorCodes[code][1].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
