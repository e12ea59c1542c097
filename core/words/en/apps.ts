export const en = {
  addresses: async () => (await import('./addresses.ts')).addressWords,
  console: async () => (await import('./console.ts')).consoleWords,
  days: async () => (await import('./days.ts')).dayWords,
  driver: async () => (await import('./driver.ts')).driverWords,
  import: async () => (await import('./import.ts')).importWords,
  records: async () => (await import('./records.ts')).recordWords,
  firstSteps: async () => (await import('./first-steps.ts')).firstStepWords,
  partners: async () => (await import('./partners.ts')).partnerWords,
  settings: async () => (await import('./settings.ts')).settingTexts,
}
