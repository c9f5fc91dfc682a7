// The keys service: the routes of API keys, their last uses, and the first key.
import type { ServiceContext } from '../service.ts'
import type { KeyFinder } from './finder-store.ts'
import { dropFirstKey, firstStart } from './first-key.ts'
import { keyRoutes } from './routes.ts'
import { keyStore } from './store.ts'

/** `forgetSessions` drops the cached sessions opened with a key, in every process. */
type KeyServiceParts = { finder: KeyFinder; forgetSessions: (keyHash: string) => Promise<void> }

export function keyService({ config, db, log }: ServiceContext, { finder, forgetSessions }: KeyServiceParts) {
  const { dataDir, bootstrapKey } = config
  const keys = keyStore(db, {
    ...finder,
    async invalidate(keyHash: string): Promise<void> {
      await Promise.all([forgetSessions(keyHash), finder.invalidate(keyHash)])
      dropFirstKey(dataDir, keyHash)
    },
  })
  return {
    /** Creates the first user and key; returns the key to show to the operator, if one was created. */
    firstStart: (): Promise<string | null> => firstStart(db, dataDir, bootstrapKey),
    routes: [keyRoutes(keys)],
    jobs: [{ name: 'uses of API keys', everyMs: 1000, task: finder.flushUses }],
    async [Symbol.asyncDispose](): Promise<void> {
      await finder.flushUses().catch((err) => log.warn({ err }, 'failed to store API key usage'))
    },
  }
}
