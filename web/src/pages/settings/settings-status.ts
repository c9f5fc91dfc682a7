// How the parts of the platform stand, from the settings: a tone for each, and which words say it.
import type { Settings } from '../../../../client/paths.ts'
import type { Tone } from '../../components/status-badge.tsx'

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
const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host)
export function phoneStatus({ phone }: Pick<Settings, 'phone'>): { tone: Tone; word: PhoneStatus } {
  if (!phone.isOn) return { tone: 'off', word: 'off' }
  return isLoopback(phone.host) ? { tone: 'warn', word: 'local' } : { tone: 'good', word: 'on' }
}

export type MicrophoneStatus = 'good' | 'local' | 'insecure'
/** Browsers lend the microphone to HTTPS, and to plain HTTP on this machine alone. */
export function microphoneStatus(page: { isSecureContext: boolean; protocol: string }): {
  tone: Tone
  word: MicrophoneStatus
} {
  if (!page.isSecureContext) return { tone: 'bad', word: 'insecure' }
  return { tone: 'good', word: page.protocol === 'https:' ? 'good' : 'local' }
}

type Setting = Settings['groups'][number]['settings'][number]
export type SettingSource = 'value' | 'default' | 'hidden' | 'unset'

/** What is shown of a setting: its value, the default that holds, that a secret is there, or that nothing is. */
export function settingSource({
  value,
  isSecret,
  isSet,
}: Pick<Setting, 'value' | 'isSecret' | 'isSet'>): SettingSource {
  if (isSecret) return isSet ? 'hidden' : 'unset'
  if (value === null || value === '') return 'unset'
  return isSet ? 'value' : 'default'
}

/** Those whose name or explanation has the words that were typed; groups without any are left out. */
export function filterSettings(groups: Settings['groups'], typed: string): Settings['groups'] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return groups
  return groups
    .map((group) => ({
      ...group,
      settings: group.settings.filter(({ name, description }) =>
        `${name} ${description}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter(({ settings }) => settings.length > 0)
}
