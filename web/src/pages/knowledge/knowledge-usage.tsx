// The tools and agents that search a knowledge base.
import type { KnowledgeBase } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { UsageSection } from '../../components/usage-section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

export const useKnowledgeTools = (id: string) =>
  queries.useQuery('get', '/api/knowledge-bases/{id}/tools', { params: { path: { id } } }).data

export function KnowledgeUsage({ base }: { base: KnowledgeBase }) {
  const t = useTexts(knowledgeTexts)
  return (
    <UsageSection
      tools={useKnowledgeTools(base.id)}
      title={t.use}
      about={t.useAbout}
      notUsed={t.notUsed}
      giveHint={t.giveHint}
      success={t.given}
      newTool={{
        name: t.toolName(base.name),
        description: t.toolDescription(base.name),
        type: 'query',
        config: { knowledgeBaseIds: [base.id] },
      }}
      stale={['/api/knowledge-bases/{id}/tools']}
    />
  )
}
