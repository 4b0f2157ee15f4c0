/**
 * The page's formulas in TeX. The build turns them into MathML (`virtual:formulas`). `\class{q}`, `\class{k}` and
 * `\class{dist}` colour a term by its role: query, key, distance.
 */
export const tex = {
  order: String.raw`\mathrm{Attention}(\mathit{\Pi} X) = \mathit{\Pi}\;\mathrm{Attention}(X)`,
  numbers: String.raw`s(\class{q}{m}, \class{k}{n}) = \frac{e_{\class{q}{m}} \cdot e_{\class{k}{n}}}{|e_{\class{q}{m}}|\,|e_{\class{k}{n}}|}`,
  waves: String.raw`\mathrm{PE}(m,\,2i) = \sin\bigl(m \cdot b^{-2i/d}\bigr)`,
  wavesPower: String.raw`1 / b^{2i/d}`,
  wavesNegativePower: String.raw`b^{-2i/d}`,
  wavesLogarithm: String.raw`e^{\ln(b) \cdot (-2i/d)}`,
  wavesDivTerm: String.raw`e^{2i \cdot (-\ln b / d)}`,
  hands: String.raw`\mathrm{PE}(p+k) = \begin{pmatrix} \cos k\omega & \sin k\omega \\ -\sin k\omega & \cos k\omega \end{pmatrix}\, \mathrm{PE}(p)`,
  distance: String.raw`\mathrm{PE}(\class{q}{m}) \cdot \mathrm{PE}(\class{k}{n}) = \sum_i \cos\bigl((\class{dist}{n-m})\,\theta_i\bigr)`,
  aliases: String.raw`K(\mathit{\Delta}) = \frac{2}{d} \sum_i \cos(\mathit{\Delta}\,\theta_i)`,
  rotate: String.raw`\begin{aligned} a' &= a \cos m\theta_p - b \sin m\theta_p \\ b' &= a \sin m\theta_p + b \cos m\theta_p \end{aligned}`,
  steps: String.raw`\mathrm{softmax}\Bigl(\frac{(R_{\class{q}{m}}\, \class{q}{q_m})^{\mathsf{T}} (R_{\class{k}{n}}\, \class{k}{k_n})}{\sqrt{D}}\Bigr)\, v_n`,
  terms: String.raw`(\class{q}{x_m + p_m})\, W\, (\class{k}{x_n + p_n})^{\mathsf{T}}`,
  slide: String.raw`(R_m \class{q}{q})^{\mathsf{T}}(R_n \class{k}{k}) = \class{q}{q}^{\mathsf{T}} R_{\class{dist}{n-m}}\, \class{k}{k}`,
  decay: String.raw`|s| \le \max_p\,|h_{p+1} - h_p| \sum_j |S_j|`,
  extend: String.raw`\theta'_p = \theta_p / s_p, \quad L\,\theta'_p \le L_0\,\theta_p`,
  precision: String.raw`\Bigl|\, \bigl\langle \tilde R_{s} \class{q}{q},\, \tilde R_{s+\class{dist}{\mathit{\Delta}}} \class{k}{k} \bigr\rangle - \bigl\langle \tilde R_{0}\, \class{q}{q},\, \tilde R_{\class{dist}{\mathit{\Delta}}}\, \class{k}{k} \bigr\rangle \Bigr|`,
} as const;

export type FormulaName = keyof typeof tex;
