// One provider of a chain: account, model or voice, health, and position.
import { ActionIcon, Group, Select, Text, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'
import type { Provider as Account } from '../../../../../client/paths.ts'
import { HealthBadge, useReasonWords } from '../../../components/health-badge.tsx'
import { useTexts } from '../../../i18n/language-provider.tsx'
import { useVendorTitle } from '../../providers/use-vendor-title.ts'
import classes from './chain.module.css'
import type { ChainKind, ItemProblem } from './chain-draft.ts'
import type { ChainItem } from './chain-settings.ts'
import { chainTexts } from './chain-texts.ts'
import { ChoiceInput } from './choice-input.tsx'
import type { DefaultLink } from './use-default-link.ts'
import type { Dragging } from './use-drag-order.ts'

/** A select cannot have an empty value. */
const DEFAULT = 'default'

type ChainRowProps = {
  kind: ChainKind
  item: ChainItem
  at: number
  accounts: readonly Account[]
  byDefault: DefaultLink
  language: string
  name: string
  problem: ItemProblem | null
  dragging: Dragging | null
  /** Null if there is nothing to reorder. */
  handle: HTMLAttributes<HTMLElement> | null
  canGo: (to: number) => boolean
  onGo: (to: number) => void
  onProvider: (id: string) => void
  onChoice: (choice: string) => void
  onRemove: (() => void) | null
}

export function ChainRow(part: ChainRowProps) {
  const { kind, item, at, accounts, byDefault, dragging } = part
  const t = useTexts(chainTexts)
  const titleOf = useVendorTitle()
  const account = item.providerId === '' ? byDefault.account : accounts.find(({ id }) => id === item.providerId)
  const isGone = item.providerId !== '' && !account
  const reason = useReasonWords(account?.health)
  const target =
    dragging && dragging.over === at && dragging.from !== at ? (dragging.from > at ? 'above' : 'below') : undefined
  const place = t.place(at)
  const labelOf = ({ name, vendor }: Account) => {
    const title = titleOf(kind, vendor)
    return name === title ? name : `${name} (${title})`
  }
  const data = [
    ...(at === 0 ? [{ value: DEFAULT, label: byDefault.label }] : []),
    ...accounts.map((one) => ({ value: one.id, label: labelOf(one) })),
    ...(isGone ? [{ value: item.providerId, label: item.providerId }] : []),
  ]
  return (
    <li
      className={classes.link}
      data-link={at}
      {...(part.handle ? {} : { 'data-alone': true })}
      data-target={target}
      {...(dragging?.from === at ? { 'data-dragged': true } : {})}
    >
      {part.handle && (
        <Tooltip label={t.drag} openDelay={600}>
          <span className={classes.handle} {...part.handle} aria-hidden>
            <IconGripVertical size={18} />
          </span>
        </Tooltip>
      )}
      <Group gap="xs" className={classes.head ?? ''}>
        <Text size="xs" fw={600} c="dimmed">
          {place}
        </Text>
        {account && account.health.state !== 'unused' && <HealthBadge health={account.health} />}
      </Group>
      <div className={classes.fields}>
        <Group gap="sm" align="flex-start">
          <Select
            flex="1 1 200px"
            aria-label={t.accountAt(place)}
            placeholder={t.choose}
            allowDeselect={false}
            data={data}
            value={item.providerId || (at === 0 ? DEFAULT : null)}
            onChange={(value) => part.onProvider(value === DEFAULT || value === null ? '' : value)}
            error={isGone ? t.gone : part.problem ? t.problem[part.problem] : undefined}
          />
          <ChoiceInput
            kind={kind}
            isOfVoiceTab={kind === 'tts' && item.providerId === ''}
            account={account ?? null}
            label={t.choiceAt(t.choice[kind], place)}
            language={part.language}
            value={item.choice}
            onChange={part.onChoice}
          />
        </Group>
        {reason && (
          <Text size="xs" mt={4} c="var(--mantine-color-error)">
            {reason}
          </Text>
        )}
      </div>
      {(part.handle || part.onRemove) && (
        <Group gap={4} wrap="nowrap" className={classes.actions ?? ''}>
          <Step {...part} way="up" />
          <Step {...part} way="down" />
          {part.onRemove && (
            <ActionIcon variant="subtle" color="red" size="lg" aria-label={t.remove(part.name)} onClick={part.onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      )}
    </li>
  )
}

function Step({ way, at, name, handle, canGo, onGo }: ChainRowProps & { way: 'up' | 'down' }) {
  const t = useTexts(chainTexts)
  if (!handle) return null
  const to = way === 'up' ? at - 1 : at + 1
  const Icon = way === 'up' ? IconArrowUp : IconArrowDown
  return (
    <ActionIcon
      variant="default"
      size="lg"
      data-order={way}
      aria-label={t[way](name)}
      disabled={!canGo(to)}
      onClick={() => onGo(to)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
