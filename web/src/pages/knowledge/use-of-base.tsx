// Which tools look into a base, and for which agents; and giving it to one more.
import type { KnowledgeBase } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { useWords } from '../../i18n/words.tsx'
import { UseOfThing } from '../../parts/use-of-thing.tsx'
import { knowledgeWords } from './knowledge-words.ts'

export const useToolsOf = (id: string) =>
  queries.useQuery('get', '/api/knowledge-bases/{id}/tools', { params: { path: { id } } }).data

export function UseOfBase({ base }: { base: KnowledgeBase }) {
  const t = useWords(knowledgeWords)
  return (
    <UseOfThing
      tools={useToolsOf(base.id)}
      title={t.use}
      about={t.useAbout}
      notUsed={t.notUsed}
      giveHint={t.giveHint}
      given={t.given}
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
