// The ⋯ menu of a tool's page: duplicate, delete.
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { removalTexts } from '../../components/removal-texts.ts'
import { UsedRecordMenu } from '../../components/remove-used.tsx'
import { useDuplicate } from '../../components/use-duplicate.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { toolsTexts } from './tools-texts.ts'

export const toolRemoval = {
  pathOf: (id: string) => `/api/tools/${id}`,
  stale: ['/api/tools', '/api/agents/{id}/tools'],
}
type Named = { id: string; name: string }

export function ToolMenu({ tool, agents }: { tool: Named; agents: readonly Named[] | undefined }) {
  const t = useTexts(toolsTexts)
  const r = useTexts(removalTexts)
  const duplicate = useDuplicate('tools')
  return (
    <UsedRecordMenu
      record={tool}
      agents={agents}
      entries={(remove) => [
        { label: r.duplicate, icon: <IconCopy size={16} aria-hidden />, onClick: () => void duplicate(tool) },
        { label: t.remove, icon: <IconTrash size={16} aria-hidden />, isDangerous: true, onClick: remove },
      ]}
      removal={toolRemoval}
      question={t.removeQuestion(tool.name)}
      warning={t.removeWarning}
      backTo="/tools"
    />
  )
}
