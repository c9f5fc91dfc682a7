// The name of this tab's organization; a menu where the person is a member of several.
import { Button, Group, Menu, Text } from '@mantine/core'
import { IconBuilding, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useTexts } from '../i18n/language-provider.tsx'
import { useOrganization, useOrganizations } from '../organization.ts'
import { navigationTexts } from './navigation-texts.ts'

/** Links, so that unsaved changes are asked about first and a new tab opens with the other organization. */
const switchHref = (id: string) => `/?organization=${encodeURIComponent(id)}`

export function OrganizationSwitcher({ isWide = false }: { isWide?: boolean }) {
  const t = useTexts(navigationTexts)
  const current = useOrganization()
  const all = useOrganizations()
  if (!current) return null
  const name = (
    <Text span size="sm" truncate maw={isWide ? undefined : { base: 110, md: 220 }}>
      {current.name}
    </Text>
  )
  const icon = <IconBuilding size={16} stroke={1.7} aria-hidden />
  if (all.length < 2)
    return (
      <Group gap={6} wrap="nowrap" c="dimmed" px="xs" py={isWide ? 6 : 0} title={t.organizationNow(current.name)}>
        {icon}
        {name}
      </Group>
    )
  return (
    <Menu position="bottom-start" width={260} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          px="xs"
          fullWidth={isWide}
          styles={isWide ? { label: { flex: 1 } } : {}}
          leftSection={icon}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={t.organizationSwitch(current.name)}
          title={current.name}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {all.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            href={switchHref(id)}
            aria-current={id === current.id}
            rightSection={id === current.id && <IconCheck size={16} aria-hidden />}
          >
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
