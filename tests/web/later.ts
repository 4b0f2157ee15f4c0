/**
 * Cases of tests/fixtures that this version does not compute, by file and name, with the reason. The tests run all others,
 * and fail where one of these would pass as well.
 */
export const later: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  analysis: {
    f32_iter: 'angles by repeated multiplication: no stage of the precision laboratory',
  },
};
