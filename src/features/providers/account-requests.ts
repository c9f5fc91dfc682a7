// Tests, models and voices of provider accounts. Each costs a request to the vendor, so concurrent ones are limited per
// user.
import { EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import { appError } from '../../base/errors/errors.ts'
import { embeddedVoices } from '../../speech/catalog.ts'
import { type AccountTargets, requireAdmin } from './account-targets.ts'
import type { ProviderAccounts } from './routes.ts'
import { modelOf } from './store.ts'
import { modelsOfTarget, testTarget, voicesOfTarget } from './vendor-requests.ts'

const MAX_AT_ONCE = 4

type Requests = Pick<ProviderAccounts, 'test' | 'testDraft' | 'models' | 'modelsOfDraft' | 'voices' | 'voicesOfDraft'>

export function accountRequests(targets: AccountTargets): Requests {
  const limited = perUserLimit(MAX_AT_ONCE)
  return {
    async test(viewer, id, { voiceId } = {}) {
      const { isOwn, models, ...target } = await targets.targetOf(viewer, id)
      if (!isOwn) requireAdmin(viewer) // each test costs the operator a request
      return limited(viewer.userId, () => testTarget(target, voiceId))
    },

    async testDraft(viewer, { model, voiceId, ...draft }) {
      const target = await targets.draftTarget(viewer, draft, modelOf(draft, model))
      return limited(viewer.userId, () => testTarget(target, voiceId))
    },

    async models(viewer, id) {
      const { isOwn, models, ...target } = await targets.targetOf(viewer, id)
      if (!isOwn && models) return [target.model, ...models].map((model) => ({ id: model, title: null }))
      return limited(viewer.userId, () => modelsOfTarget(target))
    },

    async modelsOfDraft(viewer, draft) {
      const target = await targets.draftTarget(viewer, draft, '')
      return limited(viewer.userId, () => modelsOfTarget(target))
    },

    async voices(viewer, id) {
      if (id === EMBEDDED_ID) return [...embeddedVoices]
      const target = await targets.targetOf(viewer, id)
      return limited(viewer.userId, () => voicesOfTarget(target))
    },

    async voicesOfDraft(viewer, draft) {
      const target = await targets.draftTarget(viewer, draft, '')
      return limited(viewer.userId, () => voicesOfTarget(target))
    },
  }
}

function perUserLimit(most: number) {
  const running = new Map<string, number>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const mine = running.get(userId) ?? 0
    if (mine >= most) throw appError('provider_tests_running', {}, { headers: { 'retry-after': '5' } })
    running.set(userId, mine + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(userId) ?? 1) - 1
      if (left === 0) running.delete(userId)
      else running.set(userId, left)
    }
  }
}
