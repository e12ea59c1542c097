/** A task as a client would send it; give what matters to the test. */
export const aTask = (given: object = {}) => ({
  address: { address: 'Strada Lipscani 12, București', lat: 44.4323, lng: 26.1004 },
  ...given,
})
