// "Ramal was updated": a reload that asks first if something is unsaved.
import { Alert, Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useIsUpdated } from '../build-id.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { hasUnsavedChanges, reloadPage } from '../unsaved-changes.ts'
import { crashTexts } from './crash-texts.ts'

export function ReloadButton(button: Pick<ButtonProps, 'variant' | 'size'>) {
  const t = useTexts(crashTexts)
  const [isAsking, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        {...button}
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => (hasUnsavedChanges() ? open() : reloadPage())}
      >
        {t.reload}
      </Button>
      <Modal opened={isAsking} onClose={close} title={t.unsavedTitle} centered withCloseButton={false}>
        <Stack>
          <Text size="sm">{t.unsavedText}</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={reloadPage}>
              {t.reloadAnyway}
            </Button>
            <Button onClick={close} data-autofocus>
              {t.keepEditing}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** Shown above the page once the server serves another build; the page keeps working meanwhile. */
export function UpdatedNotice() {
  const t = useTexts(crashTexts)
  if (!useIsUpdated()) return null
  return (
    <Alert color="ramal" icon={<IconRefresh size={18} aria-hidden />} mb="md" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <b>{t.updatedTitle}.</b> {t.updatedText}
        </Text>
        <ReloadButton size="xs" variant="default" />
      </Group>
    </Alert>
  )
}
