// Opens speech engines from accounts: once per account version, on connections chosen by the owner's role.
import { LruCache } from '../../base/lru-cache.ts'
import type { SpeechService } from '../../speech/open.ts'
import { accountStt, accountTts, type SpeechAccount } from '../../speech/registry.ts'
import type { Stt, Tts } from '../../voice/ports.ts'
import type { AccountConnections } from './connections.ts'
import type { Account, ProviderStore } from './store.ts'

export type SpeechAccountsParts = {
  providers: Pick<ProviderStore, 'keyOf'>
  connections: Pick<AccountConnections, 'of'>
  remembering: SpeechService['remembering']
}

const MAX_OPEN = 200

/** Changes with the account and with its owner's rights. */
export const versionOf = ({ updatedAt, role }: Pick<Account, 'updatedAt' | 'role'>): string => `${updatedAt} ${role}`

export function speechAccounts({ providers, connections, remembering }: SpeechAccountsParts) {
  const openTts = new LruCache<string, Tts>(MAX_OPEN)
  const openStt = new LruCache<string, Stt>(MAX_OPEN)

  function settingsOf(account: Account, model: string): SpeechAccount {
    const { vendor, baseUrl } = account
    return { vendor, baseUrl, model, apiKey: providers.keyOf(account), connections: connections.of[account.role] }
  }

  return {
    tts(account: Account): Tts | undefined {
      const key = `${account.id} ${versionOf(account)}`
      const known = openTts.get(key)
      if (known) return known
      const tts = accountTts(settingsOf(account, account.model))
      // Cached per account: a member's server must not supply the phrases that another account plays.
      const opened = tts && remembering(tts, key)
      if (opened) openTts.set(key, opened)
      return opened
    },

    stt(account: Account, model: string | null): Stt | undefined {
      const key = `${account.id} ${versionOf(account)} ${model ?? ''}`
      const known = openStt.get(key)
      if (known) return known
      const opened = accountStt(settingsOf(account, model ?? account.model))
      if (opened) openStt.set(key, opened)
      return opened
    },
  }
}
