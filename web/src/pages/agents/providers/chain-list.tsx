// One chain as an ordered list: the first provider, its fallbacks, and the built-in engine as the fixed last link.
import { Anchor, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCpu, IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Provider as Account } from '../../../../../client/paths.ts'
import { PROVIDERS } from '../../../components/no-model-notice.tsx'
import { useTexts } from '../../../i18n/language-provider.tsx'
import type { AgentFormProps } from '../agent-form.ts'
import classes from './chain.module.css'
import {
  type ChainKind,
  canAdd,
  chainOf,
  itemProblems,
  moved,
  patchOfChain,
  withChoice,
  without,
  withProvider,
} from './chain-draft.ts'
import { ChainRow } from './chain-row.tsx'
import type { ChainItem } from './chain-settings.ts'
import { chainTexts } from './chain-texts.ts'
import { useDefaultLink } from './use-default-link.ts'
import { useDragOrder } from './use-drag-order.ts'

export type ChainListProps = AgentFormProps & { kind: ChainKind; accounts: readonly Account[] }

export function ChainList({ kind, accounts, draft, problems, change }: ChainListProps) {
  const t = useTexts(chainTexts)
  const items = chainOf(draft, kind)
  const byDefault = useDefaultLink(kind, accounts, draft)
  const set = (next: readonly ChainItem[]) => change(patchOfChain(kind, next))
  const nameOf = ({ providerId }: ChainItem) =>
    providerId === '' ? byDefault.name : (accounts.find(({ id }) => id === providerId)?.name ?? providerId)
  const order = useOrder({
    items,
    nameOf,
    move: (from, to) => moved(items, [from, to], byDefault.id),
    set,
  })
  const shown = problems[`${kind === 'tts' ? 'voice' : kind}Fallbacks`] ? itemProblems(items) : []
  // Repeating the default account and model explicitly is no fallback either, so resolve the defaults first.
  const meant = items.map(({ providerId, choice }): ChainItem => {
    const id = providerId || (byDefault.id ?? '')
    const own = kind === 'tts' ? '' : accounts.find((account) => account.id === id)?.model
    return { providerId: id, choice: choice.trim() || (own ?? '') }
  })
  const isRepeated = itemProblems(meant).map((problem) => (problem === 'repeated' ? problem : null))
  const { list, dragging, handle } = useDragOrder(order.go)
  const unused = accounts.filter(({ id }) => !items.some(({ providerId }) => providerId === id))
  return (
    <Stack gap="sm">
      <ol className={classes.list} ref={list} aria-label={t.kinds[kind].title}>
        {items.map((item, at) => (
          <ChainRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a link has no other name than its place
            key={at}
            kind={kind}
            item={item}
            at={at}
            accounts={accounts}
            byDefault={byDefault}
            language={draft.language}
            name={nameOf(item)}
            problem={shown[at] ?? isRepeated[at] ?? null}
            dragging={dragging}
            handle={items.length > 1 ? handle(at) : null}
            canGo={(to) => moved(items, [at, to], byDefault.id) !== null}
            onGo={(to) => order.go(at, to)}
            onProvider={(id) => set(withProvider(items, at, id))}
            onChoice={(choice) => set(withChoice(items, at, choice))}
            onRemove={at === 0 && items.length === 1 ? null : () => set(without(items, at))}
          />
        ))}
        <LastLink
          kind={kind}
          isRules={kind === 'llm' && items.length === 1 && byDefault.id === null && items[0]?.providerId === ''}
        />
      </ol>
      <VisuallyHidden role="status">{order.told}</VisuallyHidden>
      {accounts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.noAccounts}{' '}
          <Anchor component={Link} href={PROVIDERS} inherit underline="always">
            {t.toProviders}
          </Anchor>
        </Text>
      ) : (
        canAdd(items) && (
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => set([...items, { providerId: unused[0]?.id ?? '', choice: '' }])}
            >
              {t.addOf[kind]}
            </Button>
          </div>
        )
      )}
    </Stack>
  )
}

/** Moves a link, announces it to screen readers, and keeps the focus on the moved link's button. */
function useOrder(part: {
  items: readonly ChainItem[]
  nameOf: (item: ChainItem) => string
  move: (from: number, to: number) => readonly ChainItem[] | null
  set: (items: readonly ChainItem[]) => void
}) {
  const t = useTexts(chainTexts)
  const [told, setTold] = useState('')
  const [focus, setFocus] = useState<{ at: number; isUp: boolean; list: Element } | null>(null)
  useEffect(() => {
    if (!focus) return
    const buttons = [...focus.list.querySelectorAll<HTMLButtonElement>(`[data-link="${focus.at}"] [data-order]`)]
    const usable = buttons.filter(({ disabled }) => !disabled)
    const wanted = usable.find(({ dataset }) => dataset.order === (focus.isUp ? 'up' : 'down')) ?? usable[0]
    wanted?.focus()
    setFocus(null)
  }, [focus])
  const go = (from: number, to: number) => {
    const item = part.items[from]
    const next = part.move(from, to)
    if (!next || !item) return
    part.set(next)
    setTold(t.movedTo(part.nameOf(item), to + 1, next.length))
    const list = document.activeElement?.closest('ol')
    if (list && document.activeElement?.hasAttribute('data-order')) setFocus({ at: to, isUp: to < from, list })
  }
  return { go, told }
}

/** The fixed last link of every chain. */
function LastLink({ kind, isRules }: { kind: ChainKind; isRules: boolean }) {
  const t = useTexts(chainTexts)
  const word = isRules ? 'llmRules' : kind
  return (
    <li className={`${classes.link} ${classes.last}`}>
      <IconCpu size={20} aria-hidden />
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {t.lastName[word]}
          </Text>
          <Text size="xs" c="dimmed">
            {t.last}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t.lastMeans[word]}
        </Text>
      </div>
    </li>
  )
}
