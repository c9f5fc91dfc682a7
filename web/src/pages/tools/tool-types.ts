// The tool types: what each one needs, and whether testing it has side effects.
import type { Tool } from '../../../../client/paths.ts'

export type ToolType = Tool['type']
export type AuthKind =
  | 'none'
  | 'bearer'
  | 'basic'
  | 'api_key'
  | 'custom_header'
  | 'oauth2_client_credentials'
  | 'hmac'
  | 'google_service_account'
  | 'google_refresh_token'

/** In display order, grouped by purpose. */
export const typeGroups = [
  { group: 'systems', types: ['api_request', 'custom', 'mcp'] },
  { group: 'everyday', types: ['query', 'calendar', 'spreadsheet', 'send_text', 'chat_workspace'] },
  { group: 'call', types: ['transfer_call', 'end_call', 'dtmf'] },
] as const satisfies readonly { group: string; types: readonly ToolType[] }[]

const anyHttp: readonly AuthKind[] = [
  'none',
  'bearer',
  'basic',
  'api_key',
  'custom_header',
  'oauth2_client_credentials',
  'hmac',
]
const google: readonly AuthKind[] = ['google_service_account', 'google_refresh_token']

export type TypeParts = {
  url: 'needed' | 'optional' | 'none'
  hasMethod: boolean
  hasHeaders: boolean
  hasBody: boolean
  hasParameters: boolean
  authorizations: readonly AuthKind[]
}

const nothing: TypeParts = {
  url: 'none',
  hasMethod: false,
  hasHeaders: false,
  hasBody: false,
  hasParameters: false,
  authorizations: [],
}

export const partsOf: Readonly<Record<ToolType, TypeParts>> = {
  custom: { ...nothing, url: 'needed', hasHeaders: true, hasParameters: true, authorizations: anyHttp },
  api_request: {
    url: 'needed',
    hasMethod: true,
    hasHeaders: true,
    hasBody: true,
    hasParameters: true,
    authorizations: [...anyHttp, ...google],
  },
  mcp: { ...nothing, url: 'needed', hasHeaders: true, authorizations: anyHttp },
  query: nothing,
  calendar: {
    ...nothing,
    url: 'optional',
    hasParameters: true,
    authorizations: ['none', 'basic', 'bearer', ...google],
  },
  spreadsheet: { ...nothing, hasParameters: true, authorizations: ['none', ...google, 'bearer'] },
  send_text: nothing,
  chat_workspace: { ...nothing, url: 'optional', authorizations: ['none', 'bearer'] },
  transfer_call: nothing,
  end_call: { ...nothing, hasParameters: true },
  dtmf: nothing,
}

/** These act on a live call, so they cannot be tested from the page. */
export const needsCall = (type: ToolType): boolean => ['transfer_call', 'end_call', 'dtmf'].includes(type)

/** Whether the tool runs long enough for the agent to say something meanwhile. */
export const speaksWhileRunning = (type: ToolType): boolean => !['end_call', 'dtmf'].includes(type)

export type AuthField = {
  name: string
  isSecret?: boolean
  isNeeded?: boolean
  isLong?: boolean
  choices?: readonly string[]
  placeholder?: string
}

export const authFields: Readonly<Record<AuthKind, readonly AuthField[]>> = {
  none: [],
  bearer: [{ name: 'token', isSecret: true, isNeeded: true }],
  basic: [
    { name: 'username', isNeeded: true },
    { name: 'password', isSecret: true, isNeeded: true },
  ],
  api_key: [
    { name: 'name', isNeeded: true, placeholder: 'X-Api-Key' },
    { name: 'value', isSecret: true, isNeeded: true },
    { name: 'in', choices: ['header', 'query'] },
  ],
  custom_header: [
    { name: 'headerName', isNeeded: true, placeholder: 'X-Token' },
    { name: 'value', isSecret: true, isNeeded: true },
  ],
  oauth2_client_credentials: [
    { name: 'tokenUrl', isNeeded: true, placeholder: 'https://' },
    { name: 'clientId', isNeeded: true },
    { name: 'clientSecret', isSecret: true, isNeeded: true },
    { name: 'scope' },
    { name: 'audience' },
    { name: 'in', choices: ['header', 'body'] },
  ],
  hmac: [
    { name: 'secret', isSecret: true, isNeeded: true },
    { name: 'headerName', placeholder: 'X-Signature' },
    { name: 'timestampHeader', placeholder: 'X-Timestamp' },
    { name: 'prefix' },
  ],
  google_service_account: [
    { name: 'clientEmail', isNeeded: true },
    { name: 'privateKey', isSecret: true, isNeeded: true, isLong: true },
    { name: 'subject' },
    { name: 'scope' },
  ],
  google_refresh_token: [
    { name: 'clientId', isNeeded: true },
    { name: 'clientSecret', isSecret: true, isNeeded: true },
    { name: 'refreshToken', isSecret: true, isNeeded: true },
    { name: 'scope' },
  ],
}
