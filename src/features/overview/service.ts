// The overview service: the start page of a user, and the list of nodes for administrators.
import type { Service, ServiceContext } from '../service.ts'
import type { ModelState, VoiceState } from '../settings/schema.ts'
import { nodesFor } from './node-list.ts'
import { overviewRoutes } from './routes.ts'
import { overviewStore } from './store.ts'

export type OverviewParts = {
  voice: () => VoiceState
  /** The language model that currently serves a user. */
  modelOf: (userId: string) => Promise<ModelState>
}

export function overviewService(context: ServiceContext, { voice, modelOf }: OverviewParts): Service {
  const { config, database } = context
  return {
    routes: [
      overviewRoutes({
        overview: overviewStore(database.db),
        nodesFor: nodesFor(context),
        platform: async (userId) => ({
          voice: voice(),
          model: await modelOf(userId),
          isPhoneOn: config.phone.port !== 0,
        }),
      }),
    ],
  }
}
