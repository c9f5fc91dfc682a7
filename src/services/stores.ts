// The stores that several services share, each built once.
import { agentStore } from '../api/agents/store.ts'
import { callbackStore } from '../api/callbacks/store.ts'
import { cancelCampaignsWith } from '../api/campaigns/cancel-with.ts'
import { conversationStore } from '../api/conversations/store.ts'
import { toolCallStore } from '../api/conversations/tool-call-store.ts'
import { didStore } from '../api/dids/store.ts'
import { spreadsheetStore } from '../api/spreadsheets/store.ts'
import { toolStore } from '../api/tools/store.ts'
import { trunkLinks } from '../api/trunks/links.ts'
import { trunkStore } from '../api/trunks/store.ts'
import { widgetStore } from '../api/widgets/store.ts'
import { configError } from '../tools/config-errors.ts'
import type { ServiceContext } from './service.ts'

export type Stores = ReturnType<typeof openStores>

export const openStores = ({ db, secrets, config }: ServiceContext) => ({
  agents: agentStore(db, cancelCampaignsWith(db, 'agentId')),
  conversations: conversationStore(db),
  tools: toolStore(db, secrets, configError),
  toolCalls: toolCallStore(db),
  dids: didStore(db),
  trunks: trunkStore(db, secrets, {
    networks: config.phone.networks,
    onRemoved: cancelCampaignsWith(db, 'trunkId'),
  }),
  links: trunkLinks(db),
  spreadsheets: spreadsheetStore(db),
  callbacks: callbackStore(db),
  widgets: widgetStore(db),
})
