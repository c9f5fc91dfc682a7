// The first link of a chain if the agent names no account: the owner's default, the platform's, or the voice tab's
// selection.
import type { Provider as Account } from '../../../../../client/paths.ts'
import { useEngines } from '../../../components/use-voices.ts'
import { providerName } from '../../../components/voice-providers.ts'
import { useTexts } from '../../../i18n/language-provider.tsx'
import type { Draft } from '../agent-draft.ts'
import { agentSettingsTexts } from '../agent-settings-texts.ts'
import type { ChainKind } from './chain-draft.ts'
import { defaultAccount } from './chain-links.ts'
import { chainTexts } from './chain-texts.ts'

export type DefaultLink = {
  /** The account it resolves to; null for a built-in engine. */
  id: string | null
  account: Account | null
  /** The name shown in lists and messages. */
  name: string
  /** The label shown in the account select. */
  label: string
}

export function useDefaultLink(kind: ChainKind, accounts: readonly Account[], draft: Draft): DefaultLink {
  const t = useTexts(chainTexts)
  const s = useTexts(agentSettingsTexts)
  const engines = useEngines()
  const account = defaultAccount(kind, { accounts, engine: engines[draft.ttsProvider] }) ?? null
  const id = account?.id ?? null
  if (kind === 'tts') {
    const name = providerName(draft.ttsProvider, engines, s.builtIn)
    return { id, account, name, label: t.asInVoiceTab(name) }
  }
  const name = account?.name ?? t.noDefault[kind]
  return { id, account, name, label: account ? t.byDefault(account.name) : t.noDefault[kind] }
}
