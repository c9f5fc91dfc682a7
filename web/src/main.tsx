// The entry point of the page.
import './styles.ts'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, preload } from './app.tsx'
import { watchBackNavigation } from './components/back-navigation.ts'
import { ErrorBoundary } from './components/error-boundary.ts'
import { cspNonce } from './csp-nonce.ts'
import { LanguageProvider } from './i18n/language-provider.tsx'
import { beforeOrganizationChange } from './organization.ts'
import { sessionQuery } from './session.tsx'
import { LastResort } from './shell/last-resort.tsx'
import { cssVariables, theme } from './theme.ts'

const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 5000, retry: 1, refetchOnWindowFocus: true } },
})
// The scroll lock behind modals injects a style element, and reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: cspNonce() })
watchBackNavigation()
beforeOrganizationChange(() => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'get' }))

function show(): void {
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary fallback={({ error }) => <LastResort error={error} />}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={cspNonce}
        >
          <QueryClientProvider client={client}>
            <LanguageProvider>
              <App />
            </LanguageProvider>
          </QueryClientProvider>
        </MantineProvider>
      </ErrorBoundary>
    </StrictMode>,
  )
}

// A failure here recurs on render, where it is shown.
void client
  .fetchQuery(sessionQuery)
  .then((session) => preload(session, location.pathname))
  .then(show, show)
