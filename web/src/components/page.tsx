// The page frame: title, description and actions.
import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useMayChange } from '../organization.ts'
import { isBackNavigation } from './back-navigation.ts'
import { focusTitle } from './focus-title.ts'
import { HelpLink } from './help-link.tsx'
import { type GuideLink, guideFor } from './page-guides.ts'

export function Page({
  title,
  titleView,
  about,
  actions,
  isForAll = false,
  back,
  help,
  children,
}: {
  title: string
  /** The title with formatted parts. */
  titleView?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  /** The actions decide themselves what a member may do; others are for those who may change the page's records. */
  isForAll?: boolean
  back?: { to: string; name: string }
  /** The guide linked from this page; null for none. Defaults to the one that matches the path. */
  help?: GuideLink | null
  children: ReactNode
}) {
  const [path] = useLocation()
  const mayChange = useMayChange()
  const guide = help === undefined ? guideFor(path) : help
  // A page opens at its top; on back navigation the browser and the lists restore the scroll position.
  useLayoutEffect(() => {
    if (!isBackNavigation()) window.scrollTo(0, 0)
  }, [])
  useEffect(() => {
    document.title = `${title} · Ramal`
  }, [title])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => focusTitle(heading.current, path), [path])
  return (
    <Stack gap="lg">
      <Box>
        {back && (
          <Anchor component={Link} href={back.to} size="sm" c="dimmed">
            <Group gap={2} component="span" display="inline-flex">
              <IconChevronLeft size={14} aria-hidden />
              {back.name}
            </Group>
          </Anchor>
        )}
        <Group justify="space-between" align="flex-end" gap="sm">
          <Box flex="1 1 320px" miw={0}>
            <Group gap="sm" align="baseline">
              <Title order={1} size="h2" ref={heading} tabIndex={-1} className="page-title">
                {titleView ?? title}
              </Title>
              {guide && (
                <Box component="span" visibleFrom="sm">
                  <HelpLink {...guide} />
                </Box>
              )}
            </Group>
            {about && (
              <Text c="dimmed" component="div">
                {about}
              </Text>
            )}
          </Box>
          {actions && (isForAll || mayChange) && <Group gap="xs">{actions}</Group>}
        </Group>
      </Box>
      {children}
    </Stack>
  )
}
