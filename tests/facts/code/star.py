"""A star import of a framework."""

from tensorflow.keras.layers import *

Dense(1)  #? name: keras.layers.Dense #? value: layer
LSTM(3)  #? name: keras.layers.LSTM
print(x)  #? name: builtins.print
