// The stores that several services share, each built once.
import { configError } from '../tool-types/config-errors.ts'
import { agentStore } from './agents/store.ts'
import { callbackStore } from './callbacks/store.ts'
import { agentsInCalls } from './calls/agent-in-calls.ts'
import { cancelCampaignsWith } from './campaigns/rows.ts'
import { hookGuidance } from './conversations/hook-guidance-store.ts'
import { conversationStore } from './conversations/store.ts'
import { toolCallStore } from './conversations/tool-call-store.ts'
import { keyFinder } from './keys/finder-store.ts'
import { didStore } from './numbers/store.ts'
import type { ServiceContext } from './service.ts'
import { spreadsheetStore } from './spreadsheets/store.ts'
import { toolStore } from './tools/store.ts'
import { trunkLinks } from './trunks/link-store.ts'
import { trunkStore } from './trunks/store.ts'
import { invitationLinks } from './users/link-store.ts'
import { userPasswords } from './users/password-store.ts'
import { userActivity } from './users/rows.ts'
import { widgetSessions } from './widgets/session-store.ts'
import { widgetStore } from './widgets/store.ts'

export type Stores = ReturnType<typeof openStores>

export function openStores({ db, database, secrets, config }: ServiceContext) {
  const agents = agentStore(db, cancelCampaignsWith(db, 'agentId'))
  return {
    agents,
    agentInCalls: agentsInCalls(agents, userActivity(db)),
    conversations: conversationStore(db),
    tools: toolStore(db, secrets, configError),
    toolCalls: toolCallStore(db),
    chatHooks: hookGuidance(db),
    dids: didStore(db),
    trunks: trunkStore(db, secrets, {
      networks: config.phone.networks,
      onRemoved: cancelCampaignsWith(db, 'trunkId'),
    }),
    links: trunkLinks(db),
    spreadsheets: spreadsheetStore(db),
    callbacks: callbackStore(db),
    widgets: widgetStore(db),
    widgetSessions: widgetSessions(db),
    keys: keyFinder(db, database.shared),
    passwords: userPasswords(db),
    invitationLinks: invitationLinks(db),
  }
}
