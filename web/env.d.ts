declare module 'virtual:endpoints' {
  const endpoints: import('../sdk/calls.ts').Endpoints
  export default endpoints
}
declare module '@fontsource-variable/inter'
