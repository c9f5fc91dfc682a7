// The trunk form: values, request bodies and presets. Pure.
import type { Trunk } from '../../../../client/paths.ts'
import { type Pair, pairsOf, recordOf } from '../../components/name-value-pairs.ts'

/** Empty strings stand for unset values, including numbers. */
export type TrunkForm = {
  name: string
  host: string
  port: number | ''
  transport: Trunk['transport']
  authMode: Trunk['authMode']
  username: string
  /** Empty keeps the stored password. */
  password: string
  directions: Trunk['directions']
  provider: string
  numbers: string[]
  callerId: string
  allowedAddresses: string[]
  allowedNumbers: string[]
  codecs: Trunk['codecs']
  mediaEncryption: Trunk['mediaEncryption']
  dtmfMode: Trunk['dtmfMode']
  leadingPlus: boolean
  prefix: string
  stripPrefix: string
  realm: string
  fromUser: string
  fromDomain: string
  outboundProxy: string
  registerExpires: number | ''
  sessionTimers: boolean
  optionsPing: boolean
  priority: number | ''
  weight: number | ''
  maxConcurrentCalls: number | ''
  headers: Pair[]
  headerVariables: string[]
  outboundHeaders: string[]
  isActive: boolean
}

export const emptyTrunk: TrunkForm = {
  name: '',
  host: '',
  port: '',
  transport: 'udp',
  authMode: 'register',
  username: '',
  password: '',
  directions: ['inbound', 'outbound'],
  provider: '',
  numbers: [],
  callerId: '',
  allowedAddresses: [],
  allowedNumbers: [],
  codecs: ['PCMA', 'PCMU', 'G722', 'opus'],
  mediaEncryption: 'allowed',
  dtmfMode: 'auto',
  leadingPlus: true,
  prefix: '',
  stripPrefix: '',
  realm: '',
  fromUser: '',
  fromDomain: '',
  outboundProxy: '',
  registerExpires: 300,
  sessionTimers: true,
  optionsPing: true,
  priority: 0,
  weight: 1,
  maxConcurrentCalls: '',
  headers: [],
  headerVariables: [],
  outboundHeaders: [],
  isActive: true,
}

/** Common types of trunk. A preset sets only its own fields; the user's other input stays. */
export const presets = {
  provider: {
    authMode: 'register',
    transport: 'udp',
    mediaEncryption: 'allowed',
    leadingPlus: true,
    optionsPing: true,
  },
  carrier: { authMode: 'ip', transport: 'udp', mediaEncryption: 'allowed', leadingPlus: true, optionsPing: true },
  /** A PBX extension dials plain digits, without a plus. */
  pbx: { authMode: 'register', transport: 'udp', mediaEncryption: 'disabled', leadingPlus: false, optionsPing: true },
} as const satisfies Record<string, Partial<TrunkForm>>
export type Preset = keyof typeof presets

export const formOf = (trunk: Trunk): TrunkForm =>
  ({
    ...Object.fromEntries(
      (Object.keys(emptyTrunk) as (keyof TrunkForm)[]).map((field) => [
        field,
        (trunk as unknown as Record<string, unknown>)[field] ?? '',
      ]),
    ),
    password: '',
    leadingPlus: trunk.numberFormat.leadingPlus ?? true,
    prefix: trunk.numberFormat.prefix ?? '',
    stripPrefix: trunk.numberFormat.stripPrefix ?? '',
    headers: pairsOf(trunk.headers),
  }) as TrunkForm

const orNull = <T>(value: T | ''): T | null => (value === '' ? null : value)

/** Omits the password, which is sent only if the user typed one. */
function fieldsOf({ password, leadingPlus, prefix, stripPrefix, headers, name, isActive, ...form }: TrunkForm) {
  return {
    ...(Object.fromEntries(
      Object.entries(form).map(([field, value]) => [field, typeof value === 'string' ? orNull(value.trim()) : value]),
    ) as typeof form),
    name: name.trim(),
    isActive,
    numberFormat: { leadingPlus, prefix: orNull(prefix.trim()), stripPrefix: orNull(stripPrefix.trim()) },
    headers: recordOf(headers),
  }
}
type Fields = ReturnType<typeof fieldsOf> & { password: string }

export function changesOf(before: TrunkForm, after: TrunkForm): Partial<Fields> {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const changed = Object.entries(is).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field as keyof typeof was]),
  )
  return { ...Object.fromEntries(changed), ...(after.password === '' ? {} : { password: after.password }) }
}

/** Omits values that equal the API's defaults. */
export const newTrunkBody = (form: TrunkForm) => ({
  ...changesOf({ ...emptyTrunk, authMode: 'ip' }, form),
  name: form.name.trim(),
})

export type TrunkProblem =
  | 'name'
  | 'host'
  | 'username'
  | 'password'
  | 'port'
  | 'directions'
  | 'codecs'
  | 'registerExpires'

export function problemsOf(form: TrunkForm, hasPassword: boolean): TrunkProblem[] {
  const { name, host, port, authMode, username, password, directions, codecs, registerExpires } = form
  const problems: TrunkProblem[] = []
  if (name.trim() === '') problems.push('name')
  if (!/^[A-Za-z0-9.:_[\]-]+$/.test(host.trim())) problems.push('host')
  if (authMode !== 'ip' && (username.trim() === '' || /[\s<>"]/.test(username.trim()))) problems.push('username')
  if (authMode !== 'ip' && password === '' && !hasPassword) problems.push('password')
  if (port !== '' && (port < 1 || port > 65_535)) problems.push('port')
  if (directions.length === 0) problems.push('directions')
  if (codecs.length === 0) problems.push('codecs')
  if (registerExpires !== '' && (registerExpires < 30 || registerExpires > 86_400)) problems.push('registerExpires')
  return problems
}
export const advancedTabs = ['network', 'calls', 'format', 'sound'] as const
export type AdvancedTab = (typeof advancedTabs)[number]

const tabOfField: Partial<Record<TrunkProblem, AdvancedTab>> = {
  port: 'network',
  registerExpires: 'network',
  directions: 'calls',
  codecs: 'sound',
}

/** The advanced tabs with an invalid field, in display order. */
export const wrongTabs = (problems: readonly TrunkProblem[]): AdvancedTab[] =>
  advancedTabs.filter((tab) => problems.some((field) => tabOfField[field] === tab))
