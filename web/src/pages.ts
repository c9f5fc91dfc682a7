// Routes, each with a lazily loaded page.
import { lazyComponent as page } from './lazy-component.ts'

/** The first match wins. */
export const pages = [
  ['/', page(() => import('./pages/home/home.tsx'), 'Home')],
  ['/agents', page(() => import('./pages/agents/agents.tsx'), 'Agents')],
  ['/agents/new', page(() => import('./pages/agents/new-agent.tsx'), 'NewAgent')],
  ['/agents/:id/talk', page(() => import('./pages/talk/talk.tsx'), 'Talk')],
  ['/agents/:id', page(() => import('./pages/agents/agent.tsx'), 'Agent')],
  ['/rehearsals', page(() => import('./pages/rehearsals/rehearsals.tsx'), 'Rehearsals')],
  ['/rehearsals/new', page(() => import('./pages/rehearsals/rehearsal.tsx'), 'NewRehearsal')],
  ['/rehearsals/compare', page(() => import('./pages/rehearsals/compare.tsx'), 'CompareRuns')],
  ['/rehearsals/runs/:id', page(() => import('./pages/rehearsals/run.tsx'), 'Run')],
  ['/rehearsals/:id', page(() => import('./pages/rehearsals/rehearsal.tsx'), 'Rehearsal')],
  ['/live', page(() => import('./pages/live/live.tsx'), 'Live')],
  ['/calls', page(() => import('./pages/calls/calls.tsx'), 'Calls')],
  ['/calls/:id', page(() => import('./pages/calls/call.tsx'), 'Call')],
  ['/callbacks', page(() => import('./pages/callbacks/callbacks.tsx'), 'Callbacks')],
  ['/campaigns', page(() => import('./pages/campaigns/campaigns.tsx'), 'Campaigns')],
  ['/campaigns/new', page(() => import('./pages/campaigns/wizard.tsx'), 'NewCampaign')],
  ['/campaigns/:id/edit', page(() => import('./pages/campaigns/wizard.tsx'), 'EditCampaign')],
  ['/campaigns/:id', page(() => import('./pages/campaigns/campaign.tsx'), 'Campaign')],
  ['/calling-rules', page(() => import('./pages/calling-rules/calling-rules.tsx'), 'CallingRules')],
  ['/calling-rules/:id', page(() => import('./pages/calling-rules/rule-pack.tsx'), 'RulePackPage')],
  ['/suppressions', page(() => import('./pages/suppressions/suppressions.tsx'), 'Suppressions')],
  ['/suppressions/lists', page(() => import('./pages/suppressions/suppression-lists.tsx'), 'SuppressionLists')],
  ['/suppressions/lists/:id', page(() => import('./pages/suppressions/suppression-list.tsx'), 'SuppressionListPage')],
  ['/conversations', page(() => import('./pages/conversations/conversations.tsx'), 'Conversations')],
  ['/conversations/:id', page(() => import('./pages/conversations/conversation.tsx'), 'Conversation')],
  ['/numbers', page(() => import('./pages/numbers/numbers.tsx'), 'Numbers')],
  ['/trunks', page(() => import('./pages/trunks/trunks.tsx'), 'Trunks')],
  ['/trunks/:id', page(() => import('./pages/trunks/trunk.tsx'), 'Trunk')],
  ['/devices', page(() => import('./pages/devices/devices.tsx'), 'Devices')],
  ['/widgets', page(() => import('./pages/widgets/widgets.tsx'), 'Widgets')],
  ['/widgets/:id', page(() => import('./pages/widgets/widget.tsx'), 'Widget')],
  ['/tools', page(() => import('./pages/tools/tools.tsx'), 'Tools')],
  ['/tools/:id', page(() => import('./pages/tools/tool.tsx'), 'Tool')],
  ['/knowledge', page(() => import('./pages/knowledge/knowledge.tsx'), 'Knowledge')],
  ['/knowledge/:id', page(() => import('./pages/knowledge/knowledge-base.tsx'), 'KnowledgeBase')],
  ['/spreadsheets', page(() => import('./pages/spreadsheets/spreadsheets.tsx'), 'Spreadsheets')],
  ['/spreadsheets/:id', page(() => import('./pages/spreadsheets/spreadsheet.tsx'), 'Spreadsheet')],
  ['/voices', page(() => import('./pages/voices/voices.tsx'), 'Voices')],
  ['/providers', page(() => import('./pages/providers/providers.tsx'), 'Providers')],
  ['/keys', page(() => import('./pages/keys/keys.tsx'), 'Keys')],
  ['/organization', page(() => import('./pages/organization/organization.tsx'), 'Organization')],
  ['/users', page(() => import('./pages/users/users.tsx'), 'Users')],
  ['/webhooks', page(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks')],
  ['/settings', page(() => import('./pages/settings/settings.tsx'), 'Settings')],
] as const

/** Preloads the page at an address. */
export const loadPage = async (address: string) =>
  pages.find(([path]) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`).test(address))?.[1].load()
