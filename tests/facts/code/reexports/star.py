import tensorflow as tf
from tensorflow import add as plus, subtract as minus, divide as _private
from tensorflow.data import *

Dataset.range(3)  #? name: tensorflow.data.Dataset.range #? pipeline: range
range(3)  #? value: range


def own(x):
    return x
