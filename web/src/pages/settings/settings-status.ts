// Status of voice, model, telephony and microphone; filtering of settings. Pure.
import type { Settings } from '../../../../client/paths.ts'
import type { Tone } from '../../components/status-badge.tsx'
import { isOwnMachine } from '../../own-machine.ts'

export type VoiceStatus = 'natural' | 'small' | 'vendor' | 'none' | 'preparing' | 'trouble'
export function voiceStatus({ voice }: Pick<Settings, 'voice'>): { tone: Tone; word: VoiceStatus } {
  if (voice.preparingPercent !== null) return { tone: 'busy', word: 'preparing' }
  if (voice.trouble !== null) return { tone: 'warn', word: 'trouble' }
  return { tone: voice.speaking === 'none' ? 'bad' : 'good', word: voice.speaking }
}

export type ModelStatus = 'model' | 'rules'
export const modelStatus = ({ model }: Pick<Settings, 'model'>): { tone: Tone; word: ModelStatus } =>
  model.provider === null ? { tone: 'warn', word: 'rules' } : { tone: 'good', word: 'model' }

export type PhoneStatus = 'on' | 'local' | 'off'
export function phoneStatus({ phone }: Pick<Settings, 'phone'>): { tone: Tone; word: PhoneStatus } {
  if (!phone.isOn) return { tone: 'off', word: 'off' }
  return isOwnMachine(phone.host) ? { tone: 'warn', word: 'local' } : { tone: 'good', word: 'on' }
}

export type MicrophoneStatus = 'good' | 'local' | 'insecure'
/** Browsers allow the microphone on HTTPS, and on plain HTTP only on localhost. */
export function microphoneStatus(page: { isSecureContext: boolean; protocol: string }): {
  tone: Tone
  word: MicrophoneStatus
} {
  if (!page.isSecureContext) return { tone: 'bad', word: 'insecure' }
  return { tone: 'good', word: page.protocol === 'https:' ? 'good' : 'local' }
}

type Setting = Settings['groups'][number]['settings'][number]
export type SettingSource = 'value' | 'default' | 'hidden' | 'unset'

/** Whether a setting shows its value, its default, a hidden secret, or nothing. */
export function settingSource({
  value,
  isSecret,
  isSet,
}: Pick<Setting, 'value' | 'isSecret' | 'isSet'>): SettingSource {
  if (isSecret) return isSet ? 'hidden' : 'unset'
  if (value === null || value === '') return 'unset'
  return isSet ? 'value' : 'default'
}

/** The groups of .env.example that each tab shows; `status` has all of them. */
const groupsByTab: Readonly<Record<string, readonly string[]>> = {
  voice: ['Speech'],
  telephony: ['The phone', 'Calls', 'Gateway'],
  security: ['Secrets', 'Budgets'],
  addresses: ['Where it listens'],
  about: ['Where it keeps things', 'Thinking', 'Knowledge', 'Tools', 'Logs'],
}

export const groupsOfTab = (groups: Settings['groups'], tab: string): Settings['groups'] =>
  tab === 'status' ? groups : groups.filter(({ name }) => groupsByTab[tab]?.includes(name))

/** Filters by name, description and the group's heading; drops empty groups. */
export function filterSettings(
  groups: Settings['groups'],
  typed: string,
  headingOf: (group: string) => string = (group) => group,
): Settings['groups'] {
  const wanted = folded(typed.trim())
  if (wanted === '') return groups
  return groups
    .map((group) => ({
      ...group,
      settings: group.settings.filter(({ name, description }) =>
        folded(`${headingOf(group.name)} ${name} ${description}`).includes(wanted),
      ),
    }))
    .filter(({ settings }) => settings.length > 0)
}

/** Ignores accents, which users often omit when typing. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
