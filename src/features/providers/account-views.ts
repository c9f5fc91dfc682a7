// How an account is shown: its address to its owner and to administrators, its key to nobody.
import { EMBEDDED_ID, type ProviderKind } from '../../base/domain/provider-kinds.ts'
import type { ProviderAccountRow } from '../../db/provider-rows.ts'
import { fromJson } from '../../db/tables.ts'
import type { Breakers } from '../../failover/ports.ts'
import type { EnvironmentAccount } from './environment-accounts.ts'
import type { Viewer } from './routes.ts'
import type { Provider } from './schema.ts'
import type { ProviderStore } from './store.ts'

/** For each kind, the account that serves a user's agents; absent for the embedded engine. */
export type InUse = Partial<Record<ProviderKind, string | undefined>>

/** What an account has that no user created. */
const notStored = { keyHint: null, isDefault: false, isShared: true, createdAt: null, updatedAt: null, prices: null }

export type ViewParts = { keyOf: ProviderStore['keyOf']; healthOf: Breakers['healthOf'] }

export function accountViews({ keyOf, healthOf }: ViewParts) {
  return {
    ofAccount(account: ProviderAccountRow, viewer: Viewer, inUse: InUse): Provider {
      const { id, kind, vendor, name, baseUrl, model, createdAt, updatedAt } = account
      const isOwn = account.userId === viewer.userId
      return {
        id,
        kind,
        vendor,
        name,
        model,
        createdAt,
        updatedAt,
        baseUrl: isOwn || viewer.role === 'admin' ? baseUrl : null,
        models: fromJson(account.models),
        hasKey: account.keySealed !== null,
        keyHint: isOwn ? hintOf(keyOf(account)) : null,
        source: isOwn ? 'own' : 'shared',
        isDefault: isOwn && account.isDefault === 1,
        isShared: account.sharedAt !== null,
        isInUse: id === inUse[kind],
        prices: fromJson(account.prices),
        health: healthOf(kind, id),
      }
    },

    /** The address is shown to administrators only, since it may be inside their network. */
    ofEnvironment(set: EnvironmentAccount, { role }: Viewer, inUse: InUse): Provider {
      const { id, kind, vendor, title, model, models } = set
      return {
        id,
        kind,
        vendor,
        name: title,
        model,
        source: 'environment',
        baseUrl: role === 'admin' ? set.baseUrl : null,
        models: models ? [...models] : null,
        hasKey: set.apiKey !== null,
        ...notStored,
        isInUse: id === inUse[kind],
        health: healthOf(kind, id),
      }
    },

    embedded: (inUse: InUse): Provider[] =>
      (['stt', 'tts'] as const).map((kind) => ({
        id: EMBEDDED_ID,
        kind,
        vendor: EMBEDDED_ID,
        source: EMBEDDED_ID,
        baseUrl: null,
        name: kind === 'stt' ? 'Whisper' : 'Kokoro, eSpeak NG',
        model: '',
        models: null,
        hasKey: false,
        ...notStored,
        isInUse: kind === 'stt' && inUse.stt === undefined,
        health: healthOf(kind, EMBEDDED_ID),
      })),
  }
}

/** The end of a key, to tell two apart; null for a key too short to reveal any of it. */
const hintOf = (key: string | null): string | null => key && `…${key.length >= 16 ? key.slice(-4) : ''}`
