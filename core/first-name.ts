/** What customers learn of a driver's name: "Vlad" of "Vlad Ene" and of "Ene, Vlad". */
export function firstNameOf(name: string): string {
  const [before = '', after = ''] = name.split(',')
  return (after.trim() || before.trim()).split(/\s+/)[0] ?? ''
}
