// The ⋯ menu of a trunk: duplicate, delete.
import { IconCopy, IconTrash } from '@tabler/icons-react'
import type { MenuEntry } from '../../components/action-menu.tsx'
import { removalTexts } from '../../components/removal-texts.ts'
import { useDuplicate } from '../../components/use-duplicate.ts'
import { useRemoval } from '../../components/use-removal.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { trunksTexts } from './trunks-texts.ts'

export const trunkRemoval = {
  pathOf: (id: string) => `/api/trunks/${id}`,
  stale: ['/api/trunks', '/api/trunk-links', '/api/agents/{id}/linked-trunks', '/api/overview'],
}
type Named = { id: string; name: string }

/** Pass `onRemove` to replace the default removal: the trunk's page asks first if agents use it. */
export function useTrunkMenu(): (trunk: Named, onRemove?: () => void) => MenuEntry[] {
  const t = useTexts(trunksTexts)
  const r = useTexts(removalTexts)
  const duplicate = useDuplicate('trunks')
  const remove = useRemoval()
  return (trunk, onRemove = () => remove([trunk], trunkRemoval)) => [
    { label: r.duplicate, icon: <IconCopy size={16} aria-hidden />, onClick: () => void duplicate(trunk) },
    {
      label: t.remove,
      icon: <IconTrash size={16} aria-hidden />,
      isDangerous: true,
      onClick: onRemove,
    },
  ]
}
