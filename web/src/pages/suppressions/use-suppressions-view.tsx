// The view of suppressed numbers: columns, phone card and row menu.
import { Anchor } from '@mantine/core'
import { IconCopy, IconPhone, IconPhoneCheck, IconSpeakerphone } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Suppression } from '../../../../client/paths.ts'
import type { MenuEntry } from '../../components/action-menu.tsx'
import { dim, plain, ShortTime } from '../../components/list/list-cells.tsx'
import type { ListView } from '../../components/list/list-types.ts'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { useRemoval } from '../../components/use-removal.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

export const staleSuppressions = ['/api/suppressions']
const removal = { pathOf: (id: string) => `/api/suppressions/${id}`, stale: staleSuppressions }

/** `isImported`: the entries belong to an imported list, which is only replaced as a whole. */
export function useSuppressionsView(isImported: boolean): ListView<Suppression> {
  const t = useTexts(suppressionsTexts)
  const remove = useRemoval()
  const nameOf = ({ phoneNumber }: Suppression) => (phoneNumber ? formatNumber(phoneNumber) : t.erased)
  const bulk = useBulk<Suppression>({ nameOf, removal, stale: staleSuppressions })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<Suppression> => {
    const number = (one: Suppression) => (one.phoneNumber ? plain(nameOf(one)) : dim(t.erased))
    const columns: ListView<Suppression>['columns'] = [
      {
        key: 'number',
        name: t.number,
        width: isImported ? 'minmax(0, 1fr)' : '12rem',
        cell: number,
        csv: ({ phoneNumber }) => phoneNumber,
      },
      {
        key: 'reason',
        name: t.reason,
        width: 'minmax(0, 1.3fr)',
        cell: ({ reason }) => plain(t.reasons[reason]),
        csv: ({ reason }) => t.reasons[reason],
      },
      {
        key: 'note',
        name: t.note,
        width: 'minmax(0, 1.6fr)',
        cell: ({ note }) => dim(note ?? '–'),
        csv: ({ note }) => note,
      },
      {
        key: 'origin',
        name: t.origin,
        width: '9rem',
        from: 760,
        cell: (one) => <Origin suppression={one} />,
      },
      {
        key: 'when',
        name: t.when,
        width: '8rem',
        isTime: true,
        cell: ({ createdAt }) => <ShortTime at={createdAt} />,
        csv: ({ createdAt }) => new Date(createdAt),
      },
    ]
    return {
      name: isImported ? 'imported-suppressions' : 'suppressions',
      label: t.title,
      nameOf,
      ...(isImported ? {} : { bulk }),
      columns: columns.filter(({ key }) => !isImported || key === 'number' || key === 'when'),
      card: (one) => ({
        title: number(one),
        line: isImported ? null : [t.reasons[one.reason], one.note].filter(Boolean).join(' · '),
        end: <ShortTime at={one.createdAt} />,
      }),
      menu: (one) => menuOf(one),
    }

    function menuOf(one: Suppression): MenuEntry[] {
      const { id, phoneNumber, callId, campaignId } = one
      const entries: MenuEntry[] = []
      if (callId)
        entries.push({ label: t.fromCall, icon: <IconPhone size={16} aria-hidden />, href: `/calls/${callId}` })
      if (campaignId)
        entries.push({
          label: t.fromCampaign,
          icon: <IconSpeakerphone size={16} aria-hidden />,
          href: `/campaigns/${campaignId}`,
        })
      if (phoneNumber)
        entries.push({
          label: t.copyNumber,
          icon: <IconCopy size={16} aria-hidden />,
          onClick: () => void navigator.clipboard?.writeText(phoneNumber),
        })
      if (!isImported)
        entries.push({
          label: t.allow,
          icon: <IconPhoneCheck size={16} aria-hidden />,
          isDangerous: true,
          onClick: () => remove([{ id, name: nameOf(one) }], removal),
        })
      return entries
    }
  }, [isImported, t])
}

/** Links to the call in which the person opted out, otherwise to the campaign. */
function Origin({ suppression: { callId, campaignId } }: { suppression: Suppression }) {
  const t = useTexts(suppressionsTexts)
  const href = callId ? `/calls/${callId}` : campaignId ? `/campaigns/${campaignId}` : null
  if (href === null) return dim('–')
  return (
    <Anchor component={Link} href={href} size="sm">
      {callId ? t.fromCall : t.fromCampaign}
    </Anchor>
  )
}
