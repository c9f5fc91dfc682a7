// Confirms an action on a user, explains its effect, and runs it.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { User } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { isDangerous, patchOf, type UserAction } from './user-actions.ts'
import { usersTexts } from './users-texts.ts'

export function ConfirmAction({
  user,
  action,
  onClose,
  onLink,
}: {
  user: User
  action: UserAction
  onClose: () => void
  onLink: (path: string) => void
}) {
  const t = useTexts(usersTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const params = { path: { id: user.id } }

  async function act(): Promise<void> {
    const patch = patchOf(action)
    if (patch) await unwrap(api.PATCH('/api/users/{id}', { params, body: patch }))
    else if (action === 'removeFactor') await unwrap(api.POST('/api/users/{id}/remove-second-factor', { params }))
    else onLink((await unwrap(api.POST('/api/users/{id}/password-link', { params, body: {} }))).path)
  }

  async function go(): Promise<void> {
    const isLink = action === 'passwordLink'
    await run(act, { stale: ['/api/users', '/api/invitations'], ...(isLink ? {} : { success: t.changed }) })
    onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t.confirm[action].question(user.name)}
      centered
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack>
        <Text size="sm">{t.confirm[action].text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c.cancel}
          </Button>
          <Button {...(isDangerous(action) ? { color: 'red.9' } : {})} loading={isPending} onClick={() => void go()}>
            {t[action]}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
