import type { Words } from './words.ts'

/** What the phone says while the app is closed. Apart from the rest, because the service worker loads nothing else. */
export const notificationWords = {
  routeChanged: ['The office changed your tasks. Tap to see.', 'Biroul ți-a modificat comenzile. Apasă ca să vezi.'],
} as const satisfies Words
