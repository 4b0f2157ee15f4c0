import type { RopeParams, RopeType } from '../rotary/rope-params.js';
import type { ParsedModel } from './parsed-model.js';

/** The scaling of the published models of one architecture and size. */
export interface PublishedScaling {
  name: string;
  type: RopeType;
  factor: number;
}

/** A published scaling and the sizes that have it. */
interface Sizes extends PublishedScaling {
  modelTypes: readonly string[];
  /** What a layer has in common with the published one beside its size. */
  isLike(params: RopeParams): boolean;
  hiddenSizes: readonly number[];
}

const isLlama3 = ({ base, type, originalMaxPosition, maxPosition = 0 }: RopeParams) =>
  base === 5e5 && (type === 'llama3' ? originalMaxPosition === 8192 : maxPosition >= 131072);
const isGlobalGemma3 = ({ base }: RopeParams) => base === 1e6;

/** Source: the configurations of meta-llama's and google's models. */
const PUBLISHED: readonly Sizes[] = [
  {
    name: 'Llama 3.2',
    modelTypes: ['llama', 'mllama_text_model'],
    isLike: isLlama3,
    hiddenSizes: [2048, 3072],
    type: 'llama3',
    factor: 32,
  },
  {
    name: 'Llama 3.1 and 3.3',
    modelTypes: ['llama'],
    isLike: isLlama3,
    hiddenSizes: [4096, 8192, 16384],
    type: 'llama3',
    factor: 8,
  },
  {
    name: 'Gemma 3',
    modelTypes: ['gemma3', 'gemma3_text'],
    isLike: isGlobalGemma3,
    hiddenSizes: [2560, 3840, 5376],
    type: 'linear',
    factor: 8,
  },
];

/** The heads of Llama 3.2 1B are half as wide as those of the other sizes. */
const NARROW_HEAD = 64;

/** What the published model of this architecture and size has, for layers with these parameters. */
export function publishedScaling(model: ParsedModel, params: RopeParams): PublishedScaling | undefined {
  const { modelType, hiddenSize } = model;
  return PUBLISHED.find(({ modelTypes, isLike, hiddenSizes, type, factor }) => {
    const isType = modelType === undefined ? params.type === type : modelTypes.includes(modelType);
    const isSize =
      hiddenSize === undefined
        ? type === 'llama3' && factor === 32 && params.headDim === NARROW_HEAD
        : hiddenSizes.includes(hiddenSize);
    return isType && isSize && isLike(params);
  });
}
