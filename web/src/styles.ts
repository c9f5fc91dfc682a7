// The library's styles; in one place, so that what is not used can be left out.
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
