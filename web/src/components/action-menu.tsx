// The ⋯ menu of a row or a page.
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useMayRemove } from '../organization.ts'

export type MenuEntry = {
  label: string
  icon?: ReactNode
  /** Shown in red, below a divider. */
  isDangerous?: boolean
  isDisabled?: boolean
} & ({ onClick: () => void } | { href: string })

/** Renders only a plain button until it is opened: a long list has one menu per row. */
export function ActionMenu({
  label,
  entries,
  size = 30,
}: {
  label: string
  entries: () => readonly MenuEntry[]
  size?: number
}) {
  const [isMounted, setMounted] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const mayRemove = useMayRemove()
  const button = (open?: () => void) => (
    <ActionIcon
      variant={size > 30 ? 'default' : 'subtle'}
      color="gray"
      size={size}
      aria-label={label}
      aria-haspopup="menu"
      c="var(--mantine-color-text)"
      {...(open ? { onClick: open } : {})}
    >
      <IconDots size={18} aria-hidden />
    </ActionIcon>
  )
  if (!isMounted)
    return button(() => {
      setMounted(true)
      setOpen(true)
    })
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={220} withinPortal>
      <Menu.Target>{button()}</Menu.Target>
      <Menu.Dropdown>
        {isOpen &&
          entries()
            .filter(({ isDangerous }) => mayRemove || !isDangerous)
            .map((entry, i) => <Entry key={entry.label} entry={entry} isFirst={i === 0} />)}
      </Menu.Dropdown>
    </Menu>
  )
}

function Entry({ entry, isFirst }: { entry: MenuEntry; isFirst: boolean }) {
  const { label, icon, isDangerous, isDisabled } = entry
  const shared = {
    leftSection: icon,
    disabled: isDisabled ?? false,
    ...(isDangerous ? { color: 'red' } : {}),
  }
  return (
    <>
      {isDangerous && !isFirst && <Menu.Divider />}
      {'href' in entry ? (
        <Menu.Item component={Link} href={entry.href} {...shared}>
          {label}
        </Menu.Item>
      ) : (
        <Menu.Item onClick={entry.onClick} {...shared}>
          {label}
        </Menu.Item>
      )}
    </>
  )
}
